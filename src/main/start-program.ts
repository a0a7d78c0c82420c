#!/usr/bin/env node
// What dist/main/cli.js is: it runs the program beside it with the code that V8 compiled for it when it was built, half of the work of a start.
// decisions/0216-starts-with-compiled-code.md
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { nameSources } from './name-sources.ts'

/** The name of the program's file, with a digest of its content: the build writes it here. */
declare const PROGRAM: string
/** Whether it keeps what V8 has compiled when it ends: only in a copy that the build makes for itself. */
declare const KEEPS_COMPILED_CODE: boolean

const file = join(dirname(fileURLToPath(import.meta.url)), PROGRAM)
/** Compiled code belongs to one program, one version of V8 and its flags. */
const compiledFile = `${file}.${cachedDataVersionTag()}.compiled`
const compiled = readCompiled()
// The build writes ASCII alone: a text with other characters takes twice the memory.
const script = new Script(readFileSync(file, 'latin1'), { filename: file, ...(compiled && { cachedData: compiled }) })
// The build runs what starts have in common: functions are compiled when they are first called.
if (KEEPS_COMPILED_CODE) {
  process.once('exit', () => writeFileSync(compiledFile, script.createCachedData()))
}
nameSources(PROGRAM, `${file}.places.json`)
const program = { exports: {} }
const importPackage = (name: string) => import(name)
script.runInThisContext()(program.exports, createRequire(file), program, file, dirname(file), importPackage)

/** Without it V8 compiles the program again: another version of Node, or another processor than the build's. */
function readCompiled(): Buffer | undefined {
  try {
    return readFileSync(compiledFile)
  } catch {
    return undefined
  }
}
