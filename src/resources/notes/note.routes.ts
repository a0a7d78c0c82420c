import { create, deactivate, read, update } from '../../records/endpoints.ts'
import { resource } from '../../records/resource.ts'
import { note } from './note.ts'

export const notes = resource('/notes/v1', 'notes', [
  read(note), // GET    /:id
  create(note), // POST   /
  update(note), // PUT    /:id/:version
  deactivate(note), // DELETE /:id/:version
])
