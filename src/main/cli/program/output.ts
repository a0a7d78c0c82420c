// All output of commands goes through this module (test/laws/terminal.test.ts). Payers and callers choose parts of it,
// and must not be able to move the cursor, hide a line or change the writing direction. Source: UTS #55 (source code
// handling), 5.

import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import { isObject } from '../../../contract/is-object.ts'
import { codeOf, reasonOf } from '../../../platform/error-code.ts'
import { StartupError } from '../../../platform/startup-error.ts'

/** Control characters, format characters (bidirectional controls, zero-width), line separators, lone surrogates, invisible ones. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
/** The sequences of `styled` (print-benefits-layout.ts), for terminals that show colors. */
const STYLE = '\u001b\\[(?:1;3[123]|1|0)m'
const UNSAFE_BUT_LINES = new RegExp(`\\n|(?:${UNSAFE.source})`, 'gu')
const UNSAFE_BUT_STYLES = new RegExp(`\\n|${STYLE}|(?:${UNSAFE.source})`, 'gu')

interface Shape {
  flags: { json?: unknown }
}

/** The text on one line, with every unsafe character as its code point. */
export function escapeControls(text: string): string {
  return text.replaceAll(UNSAFE, numbered)
}

/** `\u009b`: also valid inside JSON strings, the only place where such a character can occur in JSON. */
function numbered(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

type OnWritten = (error?: Error | null) => void

function write(stream: NodeJS.WriteStream, text: string, unsafe: RegExp, onWritten?: OnWritten): void {
  const safe = text.replaceAll(unsafe, (found) => (found === '\n' || found.length > 2 ? found : numbered(found)))
  stream.write(`${safe}\n`, onWritten)
}

let goesOn = false
let showsSecret = false
// A reader of the output may stop early, as `head` does. The command completes its work.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || goesOn || showsSecret || process.exitCode === 1) return
  process.exitCode = 1
  printDiagnostic(`anteroom: the output cannot be written (${code}); the command makes its changes all the same`)
})
// Nothing can be reported, and a seed or a key rotation must not stop halfway because its progress cannot be printed.
process.stderr.on('error', () => {})

/** For a service, which continues without its output: when the disk of its log is full, or its terminal has closed. */
export function goOnWithoutOutput(): void {
  goesOn = true
}

/** Lines of text on standard output. */
export function print(text: string): void {
  write(process.stdout, text, UNSAFE_BUT_LINES)
}

/**
 * Prints lines with styled words. Quoted text must be escaped before (`plain`, `escapeControls`), or it could contain
 * style sequences itself.
 */
export function printStyled(text: string): void {
  write(process.stdout, text, showsColor() ? UNSAFE_BUT_STYLES : UNSAFE_BUT_LINES)
}

export function printJson(value: unknown): void {
  print(jsonText(value))
}

const jsonText = (value: unknown) => JSON.stringify(value, null, 2)

/** Prints a line for a person, in addition to the command's output: on standard error. */
export function printDiagnostic(text: string): void {
  write(process.stderr, text, UNSAFE_BUT_LINES)
}

/** Whether standard output is a terminal. */
export const isTerminal = () => process.stdout.isTTY === true

/** Whether to use colors: on a terminal, unless NO_COLOR is set. Source: https://no-color.org. */
export function showsColor(): boolean {
  return isTerminal() && !process.env.NO_COLOR
}

/** One object as `key: value` lines, or as JSON for programs. */
export function printObject(line: Shape, object: object): void {
  print(objectText(line, object))
}

/**
 * Prints an object with a secret that nobody can ask for again, as `printObject` does, and waits until it is written: what the secret
 * belongs to is stored after that. @throws StartupError when it cannot be written, also when nobody reads it.
 */
export async function showSecret(line: Shape, object: object): Promise<void> {
  showsSecret = true
  await new Promise<void>((resolve, reject) => {
    write(process.stdout, objectText(line, object), UNSAFE_BUT_LINES, (error) =>
      error ? reject(notShown(error)) : resolve(),
    )
  })
  showsSecret = false
}

const notShown = (cause: Error) =>
  new StartupError(
    `the output cannot be written (${reasonOf(cause)}), and a secret is shown only once, so nothing was changed: run the command again with an output that can be written`,
    { cause },
  )

function objectText({ flags }: Shape, object: object): string {
  if (flags.json) return jsonText(object)
  return Object.entries(object)
    .map(([key, value]) => `${key}: ${textOf(value)}`)
    .join('\n')
}

/** Objects as a table with a heading, or as a JSON array for programs. */
export function printTable(line: Shape, objects: object[]): void {
  if (line.flags.json) printJson(objects)
  else print(tableOf(objects))
}

/** Maps as JSON, other values unchanged. */
function textOf(value: unknown): string {
  return escapeControls(isObject(value) ? JSON.stringify(value) : String(value))
}

function tableOf(objects: object[]): string {
  const [first] = objects
  if (!first) return 'none'
  const cells = (object: object) => Object.values(object).map(textOf)
  const rows = [Object.keys(first), ...objects.map(cells)]
  const widths = Object.keys(first).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const BAR_WIDTH = 30

/**
 * Reports the progress of a long command: a bar on a terminal, otherwise one line for every tenth, which suits a log
 * file.
 */
export function progressOf(what: string): (done: number, all: number) => void {
  const { stderr } = process
  const number = new Intl.NumberFormat('en')
  let tenths = 0
  return (done, all) => {
    const text = `${number.format(done)} of ${number.format(all)} ${what}`
    if (stderr.isTTY) {
      const bar = '#'.repeat(Math.floor((done / all) * BAR_WIDTH)).padEnd(BAR_WIDTH, '.')
      stderr.write(`\r[${bar}] ${text}${done === all ? '\n' : ''}`)
      return
    }
    const reached = Math.floor((done / all) * 10)
    if (reached > tenths) printDiagnostic(text)
    tenths = reached
  }
}

/** The log of a command: only warnings and errors, as lines for the person who runs it. */
export function commandLog(): Logger {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      const { msg, level: _level, time: _time, ...fields } = JSON.parse(String(chunk))
      printDiagnostic(
        `anteroom: ${[msg, ...Object.entries(fields).map(([key, value]) => `${key} ${JSON.stringify(value)}`)].join(', ')}`,
      )
      done()
    },
  })
  return pino({ level: 'warn', base: null }, stream)
}

/** The part of a log that is kept while it cannot be written; further lines are dropped. */
const UNWRITTEN_MAX_BYTES = 4_000_000
const WRITE_AGAIN_MS = 100
/** How often a process that ends waits for a reader who reads nothing. */
const WAITS_AT_END = 10

/**
 * Standard output for the JSON lines of a log. A reader that has stopped, such as a stalled log collector, or a full disk neither holds up
 * the process nor fills its memory nor keeps it from ending: pino's own destination then tries forever to write the rest, in a loop that
 * lets nothing else run. decisions/0161-what-faults-showed.md
 */
export function logLines(): { write(line: string): void; flushSync(): void } {
  const lines: Buffer[] = []
  let bytes = 0
  let isAgain = false

  /** The code of the fault that keeps the rest from being written; undefined when all of it was. */
  function flush(): string | undefined {
    for (let line = lines[0]; line; line = lines[0]) {
      try {
        const written = writeSync(process.stdout.fd, line)
        bytes -= written
        if (written < line.length) lines[0] = line.subarray(written)
        else lines.shift()
      } catch (error) {
        if (!isAgain) setTimeout(writeAgain, WRITE_AGAIN_MS).unref()
        isAgain = true
        return codeOf(error)
      }
    }
    return undefined
  }

  function writeAgain(): void {
    isAgain = false
    flush()
  }

  function flushAtEnd(): void {
    for (let waits = 0, left = bytes; flush() === 'EAGAIN' && waits < WAITS_AT_END; waits++) {
      if (bytes < left) waits = 0
      left = bytes
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITE_AGAIN_MS)
    }
  }

  process.once('exit', flushAtEnd)
  return {
    write(line) {
      const added = Buffer.from(line)
      if (bytes + added.length > UNWRITTEN_MAX_BYTES) return
      lines.push(added)
      bytes += added.length
      // Also while a retry is pending: a busy service would otherwise fill the buffer in the meantime.
      flush()
    },
    flushSync: () => void flush(),
  }
}
