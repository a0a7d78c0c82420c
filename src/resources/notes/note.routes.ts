import { create, deactivate, read, update } from '../../records/endpoints.ts'
import { resource } from '../../records/resource.ts'
import * as schemas from './note.schema.ts'
import { note } from './note.ts'

export const notes = resource({
  path: '/notes/v1',
  group: 'notes',
  about: "Free text about a patient; a patient's `note_ids` refer to notes.",
  permits: { read: 'See notes.', write: 'Add, change and remove notes.' },
  record: note,
  schemas,
  routes: [
    read(note), // GET    /:id
    create(note), // POST   /
    update(note), // PUT    /:id/:version
    deactivate(note), // DELETE /:id/:version
  ],
})
