// A clause as a string of classes, and patterns over such strings. Each word is replaced by one letter for its class, so that regular expressions
// read words instead of characters. Only this file knows the letters. decisions/0100-a-grammar-of-denials.md.
import { serviceTypeNames } from '../../../../x12/codes/service-types.ts'
import { DATES } from '../../payer-text.ts'
import { wordsFor } from '../sentences/abbreviations.ts'
import { CLASSES, listed, NO_SERVICE } from './denial-lexicon.ts'

/** Classes without a list: a date, a colon, the end of a sentence, and a word that is in no list. */
const UNLISTED = ['date', 'colon', 'sentenceEnd', 'unknown'] as const

export type ClassName = keyof typeof CLASSES | (typeof UNLISTED)[number]

/** Classes that are part of another one. Its name in a pattern stands for both. */
const PARTS = {
  waived: 'ended',
  lasting: 'ended',
  putOff: 'ended',
  paused: 'ended',
  inForce: 'confirmed',
  insured: 'eligible',
  begin: 'duty',
  begins: 'time',
  kind: 'coverage',
  goneTo: 'moved',
  through: 'preposition',
  purpose: 'condition',
} as const

const PART_NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[]

/** Names for several classes. `small` words stand anywhere between others, and `fine` ones say that the coverage is in force. */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ['small', ['link', 'filler']],
  ['fine', ['confirmed', 'eligible']],
])

const NAMES = [...(Object.keys(CLASSES) as (keyof typeof CLASSES)[]), ...UNLISTED]
const LETTERS: ReadonlyMap<string, string> = new Map(
  NAMES.map((name, place) => [name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzαβγδεζηθ'.charAt(place)]),
)

/**
 * A regular expression over strings of classes, written with the names of classes and groups: `'not small* (fine|person)'`. Spaces mean nothing, and
 * parentheses capture nothing. Everything else is as in regular expressions. Throws, at load, for a name that is not a class.
 */
export function pattern(source: string, flags = ''): RegExp {
  const letters = source
    .replace(/\((?!\?)/g, '(?:')
    .replace(
      /\(\?:(\w+(?:\|\w+)*)\)|\w+/g,
      (name, choice: string = name) => `[${choice.split('|').map(lettersOf).join('')}]`,
    )
  return new RegExp(letters.replace(/\s+/g, ''), flags)
}

function lettersOf(name: string): string {
  const parts = PART_NAMES.filter((part) => PARTS[part] === name)
  return GROUPS.get(name)?.map(lettersOf).join('') ?? [name, ...parts].map(letterOf).join('')
}

/** The letter of a class in the strings of classesOf(). */
export function letterOf(name: string): string {
  const letter = LETTERS.get(name)
  if (!letter) throw new Error(`no class of words is named ${name}`)
  return letter
}

/** The name of the class of a letter in such a string, or of the class that it is a part of. */
export function nameOf(letter: string): ClassName {
  const name = NAMES.find((each) => LETTERS.get(each) === letter)!
  return name in PARTS ? PARTS[name as keyof typeof PARTS] : name
}

/** How many dates a string of classes has. */
export function countDates(classes: string): number {
  return classes.split(letterOf('date')).length - 1
}

/** The letter of the class of each word and phrase; words are separated by one space. */
const LEXICON = lexicon()
/** How many words the longest phrase has that begins with a word. */
const LONGEST_FROM = longestFrom()

function lexicon(): ReadonlyMap<string, string> {
  const services = Object.values(serviceTypeNames).flatMap((name) => name.toUpperCase().match(/[A-Z]+/g) ?? [])
  const unnamed = new Set(listed(NO_SERVICE))
  const found = new Map<string, string>()
  for (const word of services) if (!unnamed.has(word)) found.set(word, letterOf('other'))
  for (const [name, words] of Object.entries(CLASSES)) {
    for (const word of listed(words)) found.set(word, letterOf(name))
  }
  return found
}

function longestFrom(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const phrase of LEXICON.keys()) {
    const words = phrase.split(' ')
    found.set(words[0]!, Math.max(found.get(words[0]!) ?? 0, words.length))
  }
  return found
}

/** The words of some classes with their abbreviations, as the source of a pattern over texts in capitals. */
export function wordsOfClasses(names: readonly (keyof typeof CLASSES)[]): string {
  const all = [...names, ...PART_NAMES.filter((part) => (names as readonly string[]).includes(PARTS[part]))]
  const words = all.flatMap((name) => listed(CLASSES[name]).flatMap((word) => [word, ...wordsFor(word)]))
  const single = new Set(words.filter((word) => !word.includes(' ')))
  // A phrase with a word that is among them needs no search of its own.
  const needed = words.filter((word) => !word.includes(' ') || !word.split(' ').some((part) => single.has(part)))
  return needed.join('|').replaceAll(' ', '[ -]+')
}

/** A date, a word or number, or a sign that separates; payers set columns with blanks. */
const TOKENS = /@|[A-Z0-9#$%]+(?:[.]\d+)?|[.;!?]|[,()|*"]| -+ | {2,}|[:=]|[/&+]/g

/** A month in figures: 03/2026. */
const MONTHS = /(?<![\d/])(?:0?[1-9]|1[0-2])\/20\d{2}\b/g

/** The classes of the words of a text in capitals without abbreviations, a letter each. */
export function classesOf(text: string): string {
  const plain = text
    .replace(DATES, '@')
    .replace(MONTHS, 'MONTH')
    .replace(/(?<=\w)-(?=\w)/g, ' ')
  const words = plain.match(TOKENS) ?? []
  let classes = ''
  for (let place = 0; place < words.length; ) {
    const length = phraseAt(words, place)
    classes += LEXICON.get(words.slice(place, place + length).join(' ')) ?? letterOf(classOfUnlisted(words[place]!))
    place += length
  }
  return classes
}

/** How many words the longest known phrase at a place has; 1 if none is known. */
function phraseAt(words: readonly string[], place: number): number {
  let length = Math.min(LONGEST_FROM.get(words[place]!) ?? 1, words.length - place)
  while (length > 1 && !LEXICON.has(words.slice(place, place + length).join(' '))) length--
  return length
}

function classOfUnlisted(word: string): ClassName {
  if (/^[.;!?]$/.test(word)) return 'sentenceEnd'
  // The amount after a noun ends its phrase: "deductible 500.00 coverage terminated".
  if (/^[,()|*"]$|\.\d/.test(word) || word.startsWith(' ')) return 'boundary'
  if (word === ':' || word === '=') return 'colon'
  if (/^[/&+]$/.test(word)) return 'and'
  if (word === '@') return 'date'
  if (/^[#$%]?\d/.test(word)) return 'number'
  // Adverbs: "automatically".
  return /[A-Z]{3}LY$/.test(word) ? 'link' : 'unknown'
}
