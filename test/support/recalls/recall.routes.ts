import { create, deactivate, history, read, scan, update } from '../../../src/records/endpoints.ts'
import { resource } from '../../../src/records/resource.ts'
import { recall } from './recall.ts'

export const recalls = resource({
  path: '/recalls/v1',
  group: 'recalls',
  about: 'Days on which patients are due for a return visit.',
  record: recall,
  routes: [
    create(recall), // POST   /
    read(recall), // GET    /:id
    history(recall), // GET    /:id/history
    update(recall), // PUT    /:id/:version
    deactivate(recall), // DELETE /:id/:version
    scan(recall, 'fixed'), // GET    /updates/scan
  ],
})
