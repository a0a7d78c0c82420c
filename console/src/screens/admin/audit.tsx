import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { auditQuery, NO_FILTERS } from '../../rules/audit.ts'
import { PageButtons, usePages } from '../../ui/pages.tsx'
import { Empty, Loading, Problem } from '../../ui/states.tsx'
import styles from './admin.module.css'
import { AuditFields } from './audit-fields.tsx'
import { AuditRows } from './audit-rows.tsx'
import { Lead } from './lead.tsx'

export default function Audit() {
  const timeZone = useSession().organization.time_zone
  const { patient } = useSearch({ from: '/admin/$section' })
  const navigate = useNavigate({ from: '/admin/$section' })
  const [filters, setFilters] = useState(NO_FILTERS)
  const [isNamed, setNamed] = useState(false)
  const pages = usePages()
  const query = auditQuery(filters, { patient, token: pages.token, timeZone })
  const { data, error, refetch } = useRead('audit.getMulti', { query })
  return (
    <>
      <Lead>
        Who viewed or changed what, newest first. Entries cannot be changed. Searches of the audit trail are recorded,
        too.
      </Lead>
      <AuditFields
        patient={patient}
        onPatient={(next) => {
          pages.restart()
          navigate({ search: next === undefined ? {} : { patient: next }, replace: true })
        }}
        filters={filters}
        onFilters={(next) => {
          pages.restart()
          setFilters(next)
        }}
        isNamed={isNamed}
        onNamed={setNamed}
      />
      {error && !data && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading what="the audit trail" />}
      {data?.items.length === 0 && <Empty title="No entries found" />}
      {data && data.items.length > 0 && <AuditRows events={data.items} patient={patient} isNamed={isNamed} />}
      <div className={styles.actions}>
        <PageButtons pages={pages} next={data?.next_page_token} />
      </div>
    </>
  )
}
