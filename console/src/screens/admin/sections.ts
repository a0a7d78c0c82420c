// The sections of Administration, in the order of the menu. Each is a separate chunk.
import { lazy } from 'react'
import type { OperationName } from '../../api/client.ts'

export const sections = {
  health: { label: 'System health', needs: 'systemHealth.get', Part: lazy(() => import('./health.tsx')) },
  people: { label: 'People', needs: 'users.getMulti', Part: lazy(() => import('./people.tsx')) },
  clients: { label: 'API clients', needs: 'apiClients.getMulti', Part: lazy(() => import('./clients.tsx')) },
  connectors: { label: 'Connectors', needs: 'connectors.getMulti', Part: lazy(() => import('./connectors.tsx')) },
  routes: { label: 'Payer routes', needs: 'payerRoutes.getMulti', Part: lazy(() => import('./payer-routes.tsx')) },
  payers: { label: 'Payers', needs: 'eligibilityChecks.payerSearch', Part: lazy(() => import('./payers.tsx')) },
  verification: {
    label: 'Verification',
    needs: 'verificationRules.get',
    Part: lazy(() => import('./verification.tsx')),
  },
  fields: { label: 'Custom fields', needs: 'metadataSchemas.getAll', Part: lazy(() => import('./own-fields.tsx')) },
  webhooks: { label: 'Webhooks', needs: 'webhooks.getMulti', Part: lazy(() => import('./webhooks.tsx')) },
  audit: { label: 'Audit trail', needs: 'audit.getMulti', Part: lazy(() => import('./audit.tsx')) },
} as const satisfies Record<string, { label: string; needs: OperationName; Part: React.ComponentType }>

export type SectionName = keyof typeof sections
export const isSection = (name: string): name is SectionName => Object.hasOwn(sections, name)
