// The grammar of a denial: whether a clause of a payer's text states that the coverage is ended, absent, unpaid or unknown. Words are replaced
// by their classes (denial-lexicon.ts), so that a clause is a short string over which patterns are written. decisions/0100-a-grammar-of-denials.md.
import { DATES, datesOf } from '../payer-text.ts'
import { spellOut, wordsFor } from './abbreviations.ts'
import { LEXICON, LONGEST_FROM } from './denial-lexicon.ts'

/** Payers set columns with blanks. */
const TOKENS = /@|[A-Z0-9#$%]+|[.;!?]|[,()|*"]| -+ | {2,}|[:=]|[/&+]/g
const BOUNDARY = ','
const SENTENCE_END = ';'

/** Texts without any of these words deny nothing; most texts have none. */
export const DENIAL_WORDS = triggerOf('euyYzTEnofk0')

function triggerOf(classes: string): RegExp {
  const words = [...LEXICON].flatMap(([word, kind]) => (classes.includes(kind) ? [word, ...wordsFor(word)] : []))
  // A phrase whose first word is a trigger needs none of its own.
  const needed = words.filter((word) => !words.includes(word.split(' ')[0]!) || !word.includes(' '))
  return new RegExp(`\\b(?:${needed.join('|').replaceAll(' ', '[ -]+')})\\b|N'T\\b|\\bSTA?T?(?:US|S)?(?: CODE)? ?[:=]`)
}

/** The classes of the words of a text in capitals: `@` a date, `#` a number, `w` an unknown word, `:` a colon. Abbreviations are spelled out. */
export function classesOf(text: string): string {
  const plain = text.replace(DATES, '@').replace(/(?<=\w)-(?=\w)/g, ' ')
  const words = plain.match(TOKENS) ?? []
  let classes = ''
  for (let place = 0; place < words.length; ) {
    const length = phraseAt(words, place)
    classes += LEXICON.get(words.slice(place, place + length).join(' ')) ?? classOfOther(words[place]!)
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

function classOfOther(word: string): string {
  if (/^[.;!?]$/.test(word)) return SENTENCE_END
  if (/^[,()|*"]$/.test(word) || word.startsWith(' ')) return BOUNDARY
  if (word === ':' || word === '=') return ':'
  if (/^[/&+]$/.test(word)) return '&'
  if (word === '@') return '@'
  if (/^[#$%]?\d/.test(word)) return '#'
  return /[A-Z]{3}LY$/.test(word) ? 'l' : 'w'
}

/** What denies in a clause, the longest form first. */
const PREDICATE =
  /k[lqmJ]*[tab]|f[lq]*v|n[lqab]*p|n[lq]*i[qs]*c|o[lqab]*(?:c*s|c+|[pj$])|[no][lq]*[abR]|[euyYzTE]|(?<=s:)D|(?<=[cab]s*:[lq]*|[cab]s)[0o](?=[d@]*$)/g

/** What a clause denies. */
export interface Denial {
  /** A premium is not paid: a date beside it is not the day of the denial. */
  isUnpaid: boolean
  /** The dates are the last of the time that is denied: "not covered until 04/01/2026". */
  isUntil: boolean
  /** The dates are the last of the coverage: "ends 02/28/2026". */
  isLastDay: boolean
  /** YYYY-MM-DD; undefined for a day that is not in the calendar. */
  dates: readonly (string | undefined)[]
}

/** The clauses of a text in capitals that deny the coverage; not those that are a condition, lie ahead, or are about something else. */
export function denialsIn(text: string): Denial[] {
  const words = spellOut(text)
  const dates = datesOf(words)
  return classesOf(words)
    .split(SENTENCE_END)
    .flatMap((sentence) => denialsOf(sentence, dates.splice(0, countDates(sentence))))
}

const countDates = (classes: string) => classes.split('@').length - 1

/** A sentence that ends well: the coverage was taken up again, or its end was withdrawn. */
const WITHDRAWN = /(?<![nomJh][lqab]*)R|z[lq:]*[eR]/

function denialsOf(sentence: string, dates: (string | undefined)[]): Denial[] {
  if (WITHDRAWN.test(sentence)) return []
  const found: Denial[] = []
  let label = ''
  for (const clause of sentence.replace(DATE_AFTER_BOUNDARY, 'l').split(BOUNDARY)) {
    const days = dates.splice(0, countDates(clause))
    const predicates = [...clause.matchAll(PREDICATE)]
    if (clause.includes('h')) {
      if (/^[lq&]*h/.test(clause)) return found
    } else {
      for (const match of predicates) {
        const denial = denialBy(clause, match, label)
        if (denial) found.push({ ...denial, dates: daysOf(clause, match.index, days) })
      }
    }
    label = predicates.length === 0 ? clause : ''
  }
  return found
}

/** A date that stands alone belongs to the clause before it. */
const DATE_AFTER_BOUNDARY = /,(?=[lid:]*@(?:[,;]|$))/g

/** The dates after a predicate, or those before it if none follow. */
function daysOf(clause: string, index: number, days: (string | undefined)[]): (string | undefined)[] {
  const after = days.slice(countDates(clause.slice(0, index)))
  return after.length > 0 ? after : days
}

function denialBy(clause: string, match: RegExpExecArray, label: string): Omit<Denial, 'dates'> | undefined {
  const [predicate] = match
  const before = clause.slice(0, match.index)
  const after = clause.slice(match.index + predicate.length)
  const isNegation = /^[nokf0]/.test(predicate)
  // "Not terminated", "no lapse"; "incarcerated: no".
  if (!isNegation && /[nok][lqabe]*$/.test(before)) return undefined
  if (!isNegation && /^[lqsrd]*:[lq]*(?:[o0](?![a-z])|&$)/.test(after)) return undefined
  const subject = subjectOf(before, label)
  const isUnpaid = subject === 'premium' || /[yY$]$/.test(predicate)
  const isUntil = isNegation && /^[lq]*U@/.test(after)
  const isLastDay =
    /^[eTEz]/.test(predicate) && /^[rlaigdyc:]*@/.test(after) && (predicate !== 'e' || WILL.test(before))
  const isDenial =
    subject === 'claims'
      ? holdsClaims(before, predicate, after)
      : isOwn(before, predicate, { subject, after, isLastDay })
  return isDenial ? { isUnpaid, isUntil, isLastDay } : undefined
}

/** The end of what comes before a predicate that lies ahead, is possible or demanded. */
const WILL = /[mJ][lq]*$/

/** "Claims will be denied" for all services, and not those of one kind or after a day. */
function holdsClaims(before: string, predicate: string, after: string): boolean {
  return /[lm]$/.test(before) && /^(?:[eu]|n[lq]*[ab])$/.test(predicate) && /^(?:(?:[rU]|e\$).*)?$/.test(after)
}

function isOwn(
  before: string,
  predicate: string,
  { subject, after, isLastDay }: { subject: Subject; after: string; isLastDay: boolean },
): boolean {
  const rest = after.replace(/^[lq:]+/, '')
  // "No claims will be paid."
  if (predicate.endsWith('j')) return /^m[lq]*[ab](?:$|[Ur])/.test(rest)
  if (subject === 'other') return false
  if (subject === 'label' && !/^[ezTE]|^o.*(?:[ab].*c|s)$/.test(predicate)) return false
  if (subject === 'unknown' && !namesCoverage(predicate, rest)) return false
  if (!/^[nokf0]/.test(predicate) && WILL.test(before) && !isLastDay) return false
  return isLastDay || concernsCoverage(predicate, subject === 'label' ? 'none' : subject, rest)
}

/** Whatever the subject is: "... has no coverage", "... ended the coverage". */
function namesCoverage(predicate: string, rest: string): boolean {
  return /^o.*[cs]$|^n[lq]+.*p$/.test(predicate) || (predicate === 'e' && /^c(?![wxsj])/.test(rest))
}

/** `label`: an unknown noun before a dash or comma, which may be the name of a plan. */
type Subject = 'own' | 'premium' | 'claims' | 'none' | 'label' | 'unknown' | 'other'

/** What a clause is about, by the words before its predicate, or by a part before it that has no predicate. */
function subjectOf(before: string, label: string): Subject {
  const said = before.replace(/S[lq]*$/, '')
  if (said !== before) return subjectOf(said, label) === 'other' ? 'other' : 'none'
  const phrase = /[cspxqwj$abzT#gid@&:l]*$/.exec(before.replace(WILL, ''))![0]
  const afterColon = phrase
    .replace(/[lq:&]+$/, '')
    .split(':')
    .at(-1)!
  const noun = afterColon.replace(/^[giqla&]*[d@#]+/, '').replace(/^[lq&]+/, '')
  if (noun === '') return label === '' || before !== phrase ? 'none' : subjectOfLabel(label)
  if (/^[qa]*j(?:[gi]q*p)?$/.test(noun)) return 'claims'
  if (/^q*[cp]+&[qw]*x+c*$|x&[qw]*c+$/.test(noun)) return 'own'
  if (/[xj]/.test(noun)) return 'other'
  const [head = '', object] = noun.split(/g(.*)/)
  if (object !== undefined && /w/.test(object)) return 'other'
  const nouns = head.replace(/(?<=.)i.*/, '').replace(/[ablq#@d]+$/, '')
  const last = nouns.at(-1)
  if (last === '$') return 'premium'
  if (last === 'c' || last === 'p') return 'own'
  if (last === 's' && /^[ailqcps#$]*$|[cp]s+$/.test(nouns)) return 'own'
  return 'unknown'
}

/** A label may be followed by a number or a code: "eligibility flag 0". */
function subjectOfLabel(label: string): Subject {
  const subject = subjectOf(label, '')
  if (subject !== 'unknown') return subject
  return /[cps]/.test(label) ? 'own' : 'label'
}

/** A noun about the coverage, the person or the day, that is no part of another one. */
const OWN_NOUN = '[lqab]*(?:[cps$]*[d@]|(?:[cps$]|#$)+(?![xwj]))'
const WITH_OWN_NOUN = new RegExp(`^[giJ]${OWN_NOUN}`)
const OWN_OBJECT = new RegExp(`^${OWN_NOUN}`)

/** Whether a predicate is about the coverage, by the words after it (`rest`). */
function concernsCoverage(predicate: string, subject: Subject, rest: string): boolean {
  if (/^[eyYz]/.test(predicate) && /^[a$]?m/.test(rest)) return false
  switch (predicate[0]) {
    case '0':
      return true
    case 'E':
      return false
    case 'T':
    case 'D':
      return subject === 'own' && /^(?:r|$)/.test(rest)
    case 'z':
      return /^(?:r(?!:)|@|$|a|i[lqab]*[cp])/.test(rest)
    case 'Y':
      return subject === 'premium' ? !/^[giJ]?[lqw]*x/.test(rest) : subject === 'none' && /^[lq]*\$/.test(rest)
    case 'y':
      if (subject === 'none') return /^(?:$|r|@|[i&]?[lq]*\$)/.test(rest)
      return !/^[gi]?[lqw]*x/.test(rest)
    case 'f':
      return !/^[gi]?[lqabw]*x/.test(rest) || /[cs$]/.test(rest)
    case 'k':
      return predicate.endsWith('t') ? OWN_OBJECT.test(rest) : isWhole(rest, subject)
    case 'o':
      return isAbsent(predicate, subject, rest)
    case 'e':
      if (subject !== 'none') return !/^(?:j|[gi][lqabw]*x)/.test(rest)
      return /^(?:$|[girdJ@U&:c#lpe])/.test(rest) && !/^[gic]?[lqab]*[cp]*[xwj]/.test(rest)
    default:
      if (subject === 'premium') return /a$/.test(predicate) && !/^[giJ][lqabw]*x/.test(rest)
      return isWhole(rest, subject, predicate)
  }
}

/** "No coverage", "no active segment", "no patient found", "no payment received", and in Spanish "no elegible". */
function isAbsent(predicate: string, subject: Subject, rest: string): boolean {
  switch (predicate.at(-1)) {
    case '$':
      return /^[lq]*a(?!.*[xj])/.test(rest)
    case 's':
      return /[ab]/.test(predicate) && isWhole(rest, subject)
    case 'o':
      return true
    case 'p':
      return /^[lq]*[ab]/.test(rest)
    default:
      return isWhole(rest.replace(/^[lq]*[ab]/, ''), subject)
  }
}

/** True when what is denied is the coverage as a whole, and not a service, place or condition: "not eligible for ..." */
function isWhole(rest: string, subject: Subject, predicate = ''): boolean {
  if (/^[xwjos]/.test(rest)) return false
  if (/^U/.test(rest)) return subject === 'own' || rest[1] === '@'
  if (/a$/.test(predicate) && /^[iJ]/.test(rest)) return !/^[iJ][lqab]*[xj]/.test(rest)
  return /^[giJ]/.test(rest) ? WITH_OWN_NOUN.test(rest) : true
}
