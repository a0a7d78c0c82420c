// The prices that the payer states for the service that the clinic lists first, and what remains of the deductible. Source: eligibility/users.md 3 to 5.
import { useRead } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { barsOf, remainingWords, servicesOf } from '../../rules/benefits.ts'
import { serviceTypeName } from '../../rules/service-types.ts'
import { useOwnServices } from '../check/own-services.ts'

export function VisitCosts({ checkId }: { checkId: string }) {
  const maySee = useMay('storedChecks.get')
  const { data } = useRead(
    'storedChecks.get',
    { path: { id: checkId } },
    { enabled: maySee, staleTime: Number.POSITIVE_INFINITY },
  )
  const { own } = useOwnServices()
  const benefits = data?.check.parsed_response?.benefits
  const service = servicesOf(benefits?.service_specific_coverage, own).find(
    ({ code, in: costs }) => own.includes(code) && costs.length > 0,
  )
  const deductible = barsOf(benefits?.plan_coverage).find(
    ({ what, who, network }) => what.startsWith('Deductible') && who === 'Individual' && network === 'in',
  )
  return (
    <>
      {service && (
        <p>
          {serviceTypeName(service.code)}, in network:{' '}
          {service.in.map(({ text, note }) => (note ? `${text} (${note})` : text)).join(', ')}
        </p>
      )}
      {deductible && <p>Individual deductible, in network: {remainingWords(deductible)}</p>}
    </>
  )
}
