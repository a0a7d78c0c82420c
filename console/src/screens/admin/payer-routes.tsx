import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useRead, useWrite } from '../../api/query.ts'
import { readPayer } from '../../rules/coverages.ts'
import { entered } from '../../rules/entered.ts'
import { announce } from '../../ui/announce.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { useDraftField } from '../../ui/draft.ts'
import { Form } from '../../ui/form.tsx'
import { useRefusals } from '../../ui/refusals.ts'
import { Rows } from '../../ui/rows.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import { PayerField } from '../search/payer-field.tsx'
import styles from './admin.module.css'
import { Lead } from './lead.tsx'

export default function PayerRoutes() {
  const routes = useRead('payerRoutes.getMulti', {})
  const connectors = useRead('connectors.getMulti', {})
  const remove = useWrite('payerRoutes.remove', ['payerRoutes.getMulti', 'connectors.getMulti'])
  const failure = routes.error ?? connectors.error
  if (failure && !(routes.data && connectors.data)) return <Problem error={failure} retry={routes.refetch} />
  if (!routes.data || !connectors.data) return <Loading what="payer routes" />
  return (
    <>
      <Lead>
        Determines the connector for each payer. A payer without a route uses the default. Without a default, it uses
        the service's own connection.
      </Lead>
      {routes.data.length === 0 ? (
        <Empty title="No routes yet: all payers use the service's own connection" />
      ) : (
        <Rows label="Payer routes" heads={['Payer', 'Connector', 'Connector payer ID', 'Actions']}>
          {routes.data.map(({ payer_id, payer_name, connector, connector_payer_id }) => (
            <tr key={payer_id}>
              <td>
                {payer_id === 'default' ? 'All other payers (default)' : (payer_name ?? payer_id)}
                {payer_name && <div className={styles.soft}>{payer_id}</div>}
              </td>
              <td>{connector}</td>
              <td>{connector_payer_id ?? 'Same ID'}</td>
              <td>
                <ConfirmButton
                  label="Remove"
                  name={`Remove the route of ${wordsOf(payer_id, payer_name)}`}
                  question={`Remove the route of ${wordsOf(payer_id, payer_name)}? Their checks, those that wait, too, then go through ${payer_id === 'default' ? "the service's own connection" : 'the default'}.`}
                  onYes={() =>
                    remove.mutate({ path: { payer_id } }, { onSuccess: () => announce('The route is removed') })
                  }
                />
              </td>
            </tr>
          ))}
        </Rows>
      )}
      {remove.error && <Problem name="The route was not removed" error={remove.error} />}
      {connectors.data.length === 0 ? (
        <p>Create a connector before you add a route.</p>
      ) : (
        <NewRoute connectors={connectors.data.map(({ name }) => name)} />
      )}
    </>
  )
}

const wordsOf = (id: string, name = '') => (id === 'default' ? 'all other payers' : name ? `${name} (${id})` : id)

function NewRoute({ connectors }: { connectors: string[] }) {
  const [kind, setKind] = useDraftField<'default' | 'payer'>('new-route-kind', 'payer')
  const [payer, setPayer, resetPayer] = useDraftField('new-route-payer', '')
  const [chosen, setConnector] = useDraftField('new-route-connector', '')
  const connector = connectors.includes(chosen) ? chosen : (connectors[0] ?? '')
  const [other, setOther, resetOther] = useDraftField('new-route-payer-id', '')
  const set = useWrite('payerRoutes.set', ['payerRoutes.getMulti', 'connectors.getMulti'])
  const { form, errorOf, rest } = useRefusals(set, { connector, connector_payer_id: other })
  const isDefault = kind === 'default'
  const { payer_id: payerId } = readPayer(payer)
  return (
    <Form
      ref={form}
      className={styles.box}
      onSubmit={() => {
        const path = { payer_id: isDefault ? 'default' : payerId }
        const otherId = isDefault ? '' : entered(other)
        const body = { connector, ...(otherId !== '' && { connector_payer_id: otherId }) }
        set.mutate(
          { path, body },
          {
            onSuccess() {
              resetPayer()
              resetOther()
              announce('The route is set')
            },
          },
        )
      }}
    >
      <h2>Set a route</h2>
      <div className={styles.form}>
        <NativeSelect
          label="For"
          data={[
            { value: 'payer', label: 'One payer' },
            { value: 'default', label: 'All other payers (default)' },
          ]}
          value={kind}
          onChange={(event) => setKind(event.target.value as typeof kind)}
        />
        {!isDefault && <PayerField takesAnyId text={payer} onChange={setPayer} />}
        <NativeSelect
          label="Connector"
          data={connectors}
          value={connector}
          error={errorOf('connector')}
          onChange={(event) => setConnector(event.target.value)}
        />
        {!isDefault && (
          <TextInput
            label="Connector payer ID"
            description="Only if the connector uses a different ID"
            maxLength={80}
            value={other}
            error={errorOf('connector_payer_id')}
            onChange={(event) => setOther(event.target.value)}
          />
        )}
      </div>
      {rest !== undefined && <Problem error={rest} />}
      <Button type="submit" mt="sm" loading={set.isPending} disabled={!isDefault && payerId === ''}>
        Set route
      </Button>
    </Form>
  )
}
