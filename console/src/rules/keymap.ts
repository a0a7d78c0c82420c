// Single-character shortcuts and the characters that a user has put in their place (WCAG 2.1.4).

/** By the key that each has at first, which is also the name under which a screen handles it. */
export const letterKeys = {
  '/': 'Find a patient',
  j: 'Next visit',
  k: 'Previous visit',
  c: 'Check the visit again',
  i: 'Check in',
  o: 'Check out',
  '[': 'Previous day',
  ']': 'Next day',
  t: 'Today',
  w: 'The week of this day',
  '?': 'Show keyboard shortcuts',
} as const

export type LetterKey = keyof typeof letterKeys
/** The chosen characters of the shortcuts that were changed. */
export type KeyMap = Partial<Record<LetterKey, string>>

const names = Object.keys(letterKeys) as LetterKey[]

export const keyOf = (name: LetterKey, map: KeyMap): string => map[name] ?? name

/** The shortcut that a pressed character stands for; undefined for none, such as a first key that was given up. */
export const shortcutOf = (pressed: string, map: KeyMap): LetterKey | undefined =>
  names.find((name) => keyOf(name, map) === pressed)

/** A character that can be a shortcut: one that is typed, and seen. */
export const isLetterKey = (text: string): boolean => [...text].length === 1 && text.trim() !== ''

/** Puts a character in the place of a shortcut's, or names the shortcut that has it already. */
export function assignKey(name: LetterKey, character: string, map: KeyMap): KeyMap | { takenBy: LetterKey } {
  const holder = shortcutOf(character, map)
  if (holder !== undefined && holder !== name) return { takenBy: holder }
  const { [name]: _, ...others } = map
  return character === name ? others : { ...others, [name]: character }
}

/** A stored map. What is not one, or has a character twice, counts as unchanged keys. */
export function readKeyMap(text: string | undefined): KeyMap {
  try {
    const stored = JSON.parse(text ?? '{}') as Record<string, unknown> | null
    const map: KeyMap = {}
    for (const name of names) {
      const character = stored?.[name]
      if (typeof character === 'string' && isLetterKey(character)) map[name] = character
    }
    const used = names.map((name) => keyOf(name, map))
    return new Set(used).size === used.length ? map : {}
  } catch {
    return {}
  }
}
