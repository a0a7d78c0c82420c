// The patient's costs for each service, in and out of network. The clinic's pinned services come first.
import { Button, Table } from '@mantine/core'
import type { ServiceCoverage } from '../../api/generated.ts'
import { type Cost, servicesOf } from '../../rules/benefits.ts'
import { NOT_BILLED } from '../../rules/copay.ts'
import { serviceTypeName } from '../../rules/service-types.ts'
import { headsOf, stacked } from '../../ui/rows.tsx'
import styles from './check.module.css'
import { useOwnServices } from './own-services.ts'

const HEADS = ['Service', 'In network', 'Out of network', 'Order']

interface Props {
  services: readonly ServiceCoverage[] | undefined
  /** Whether the patient may not be billed. */
  isBillingProhibited: boolean
}

export function Services({ services, isBillingProhibited }: Props) {
  const { own, toggle } = useOwnServices()
  const rows = servicesOf(services, own)
  if (rows.length === 0) return null
  return (
    <section className={styles.section}>
      <h2>Copay and coinsurance{isBillingProhibited && NOT_BILLED}</h2>
      <p className={styles.soft}>
        “In network” describes providers in the plan’s network. It does not mean that your provider is in the network.
      </p>
      <div className={stacked.frame}>
        <Table className={stacked.table ?? ''} style={headsOf(HEADS)}>
          <Table.Thead>
            <Table.Tr>
              {HEADS.map((head) => (
                <Table.Th key={head} className={head === 'Order' ? styles.order : undefined}>
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ code, in: inside, out }) => (
              <Table.Tr key={code} data-own={own.includes(code)}>
                <Table.Th scope="row">
                  {serviceTypeName(code)} <span className={styles.soft}>{code}</span>
                </Table.Th>
                <Table.Td>
                  <Costs costs={inside} />
                </Table.Td>
                <Table.Td>
                  <Costs costs={out} />
                </Table.Td>
                <Table.Td className={styles.order}>
                  <Button
                    size="compact-xs"
                    variant={own.includes(code) ? 'light' : 'default'}
                    aria-label={`${own.includes(code) ? 'Listed first' : 'List first'}: ${serviceTypeName(code)}`}
                    onClick={() => toggle(code)}
                  >
                    {own.includes(code) ? 'Listed first' : 'List first'}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}

function Costs({ costs }: { costs: readonly Cost[] }) {
  if (costs.length === 0) return <span className={styles.soft}>not stated</span>
  return (
    <ul className={styles.costs}>
      {costs.map(({ text, note, needsAuthorization }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two may be the same
        <li key={place}>
          {text}
          {needsAuthorization && <strong className={styles.authorization}> Authorization required</strong>}
          {note && <span className={styles.soft}> {note}</span>}
        </li>
      ))}
    </ul>
  )
}
