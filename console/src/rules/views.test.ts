import { describe, expect, it } from 'vitest'
import { currentView, readViews, withoutView, withView } from './views.ts'

describe('named views', () => {
  it('contain the queue and the provider, and no patient data', () => {
    const filters = { queue: 'exceptions', doctor: 'Ada Okafor', text: 'Jane Doe', day: '2026-11-22' } as const
    expect(withView([], { name: ' Ada, to do ', ...filters })).toEqual([
      { name: 'Ada, to do', queue: 'exceptions', doctor: 'Ada Okafor' },
    ])
  })

  it('are replaced and removed by name, and recognized by their filter', () => {
    const views = withView(withView([], { name: 'Mine', queue: 'ready' }), { name: 'Mine', queue: 'here' })
    expect(views).toEqual([{ name: 'Mine', queue: 'here' }])
    expect([currentView(views, { queue: 'here' }), currentView(views, { queue: 'ready' })]).toEqual(['Mine', undefined])
    expect(withoutView(views, 'Mine')).toEqual([])
  })

  it('are read from any stored data without breaking the board', () => {
    for (const text of [undefined, '', '{', 'null', '{}', '[null, 1, {"name":1}, {"name":""}]'])
      expect(readViews(text)).toEqual([])
    expect(readViews('[{"name":"A","queue":"nonsense","doctor":3}]')).toEqual([{ name: 'A' }])
  })

  it('are twenty at most', () => {
    let views = readViews(undefined)
    for (let number = 0; number < 25; number++) views = withView(views, { name: `V${number}` })
    expect([views.length, views[0]?.name]).toEqual([20, 'V5'])
  })
})
