import { describe, expect, it } from 'vitest'
import { columnLabels, guessMapping } from './batch-columns.ts'
import {
  decodeCsv,
  exampleCsv,
  faultsIn,
  leftOut,
  linesInWords,
  type Reading,
  readCsv,
  readDate,
  readRow,
  readRows,
  shortYears,
  withHeaders,
} from './batch-file.ts'
import { csvOf } from './batch-results.ts'

const FILE = `\uFEFFMRN,Payer ID,Member ID,First Name,"Last, Name",DOB,Service type
77,60054,W1,Ana,"Rivera, Jr.",2/29/1984,98;UC

78,60054,,Bo,Lee,1990-13-01,
`

const reading = (headers: readonly string[]): Reading => ({
  mapping: guessMapping(headers),
  npi: '1999999984',
  payerIdOf: (text) => (text === 'Unknown plan' ? undefined : text),
})

describe('a file of rows', () => {
  it('returns the rows that cannot be checked with their errors, to correct and choose again', () => {
    const file = readCsv(FILE)
    const rows = file.rows.map((row) => readRow(row, reading(file.headers)))
    const [heads, ...faulty] = leftOut(file, rows)
    expect(heads).toEqual([...file.headers, 'What is wrong'])
    expect(faulty).toEqual([['78', '60054', '', 'Bo', 'Lee', '1990-13-01', '', expect.stringContaining('Birth date')]])
    expect(readCsv(csvOf(leftOut(file, rows))).rows.map(({ cells }) => cells)).toEqual(faulty)
  })

  it('is read without the apostrophe that a saved file puts before a formula', () => {
    const rows = [
      ['first', 'member'],
      ['-Ana', '+1-2'],
      ["O'Neil", "'quoted"],
    ]
    expect(readCsv(csvOf(rows)).rows.map(({ cells }) => cells)).toEqual(rows.slice(1))
  })

  it('is mapped by its headers, and each row becomes a request or a list of errors', () => {
    const { headers, rows } = readCsv(FILE)
    const mapping = { ...guessMapping(headers), last: 4 }
    expect(mapping).toMatchObject({
      reference: 0,
      payer: 1,
      member: 2,
      first: 3,
      born: 5,
      services: 6,
      day: -1,
      npi: -1,
    })
    expect(readRow(rows[0]!, { ...reading(headers), mapping })).toEqual({
      line: 2,
      faults: [],
      request: {
        payer_id: '60054',
        provider: { npi: '1999999984' },
        subscriber: { first_name: 'Ana', last_name: 'Rivera, Jr.', member_id: 'W1', date_of_birth: '1984-02-29' },
        encounter: { service_type_codes: ['98', 'UC'] },
        submitter_transaction_identifier: '77',
      },
    })
    expect(readRow(rows[0]!, { ...reading(headers), mapping, npi: '1999999985' }).faults).toEqual([
      'Provider NPI is not valid: its check digit is wrong',
    ])
    expect(readRow(rows[1]!, { ...reading(headers), mapping, npi: '' })).toEqual({
      line: 4,
      faults: ['Provider NPI is missing', 'Birth date is not a valid date', 'Member ID or birth date is required'],
    })
  })

  it('may be the export of a practice: full names, payer names, dates with times, tabs', () => {
    const { headers, rows } = readCsv(
      'Appt Date\tPatient Name\tDOB\tInsurance\tPolicy #\n11/24/2026 9:15 AM\tDoe, Jane\t4/4/2004\tAetna\tW1\n',
    )
    expect(readRow(rows[0]!, reading(headers)).request).toEqual({
      payer_id: 'Aetna',
      provider: { npi: '1999999984' },
      subscriber: { first_name: 'Jane', last_name: 'Doe', member_id: 'W1', date_of_birth: '2004-04-04' },
      encounter: { date_of_service: '2026-11-24' },
    })
  })

  it.each([
    ['the line in which Excel keeps the separator', 'sep=;\nPayer;Member ID;First name;Last name\n60054;W1;Ana;Ruiz\n'],
    [
      'the title of a report, with commas, above the headers',
      'Schedule for Friday, November 27, 2026\n\nPayer;Member ID;First name;Last name\n60054;W1;Ana;Ruiz\n',
    ],
    ['an explanation in brackets', 'Payer (ID),Member ID (card),"Patient name (Last, First)"\n60054,W1,"Ruiz, Ana"\n'],
    ['a middle initial', 'Payer,Member ID,Patient name\n60054,W1,"RUIZ, ANA M."\n'],
  ])('may have %s', (_, text) => {
    const { headers, rows } = readCsv(text)
    const [{ request, faults } = { faults: [] }] = rows.map((row) => readRow(row, reading(headers)))
    expect(faults).toEqual([])
    expect(request).toMatchObject({ payer_id: '60054', subscriber: { member_id: 'W1' } })
    const { first_name, last_name } = request?.subscriber ?? {}
    expect([first_name, last_name].map((name) => name?.toUpperCase())).toEqual(['ANA', 'RUIZ'])
  })

  it('asks once for a row that it has twice, and says which row it repeats', () => {
    const text =
      'Payer ID,Member ID,First name,Last name,MRN\n60054,W1,Ana,Lee,1\n60054,W2,Bo,Lee,2\n60054,W1,Ana,Lee,1\n60054,W1,Ana,Lee,3\n'
    const { headers, rows } = readCsv(text)
    const read = readRows(rows, reading(headers))
    expect(read.map(({ faults }) => faults)).toEqual([[], [], ['The same as row 2'], []])
    // A second visit of the patient has a reference of its own.
    expect(read.map(({ request }) => request?.submitter_transaction_identifier)).toEqual(['1', '2', undefined, '3'])
  })

  it('is summed up by what is wrong, the most frequent first, with the rows of each', () => {
    const text = ['Payer ID,Member ID,First name,Last name', ...Array.from({ length: 8 }, (_, n) => `60054,W${n},Ana,`)]
    const { headers, rows } = readCsv(
      [...text, '60054,W9,Bo,Lee', '60054,W9,Bo,Lee', '60054,1.2E+11,Cy,Lee'].join('\n'),
    )
    const found = faultsIn(readRows(rows, reading(headers)))
    expect(found.map(({ fault, lines }) => `${fault}: ${linesInWords(lines)}`)).toEqual([
      'Last name is missing: rows 2, 3, 4, 5, 6 and 3 more',
      'The same as an earlier row: row 11',
      expect.stringMatching(/rounded by a spreadsheet.*: row 12$/),
    ])
  })

  it('is refused if a spreadsheet has rounded the member ID', () => {
    const { headers, rows } = readCsv('Payer,Member ID,First name,Last name,DOB\n60054,1.23457E+11,Ana,Ruiz,2/9/1984\n')
    expect(readRow(rows[0]!, reading(headers)).faults).toEqual([expect.stringContaining('rounded by a spreadsheet')])
  })

  it('is refused if it has words instead of service type codes', () => {
    const { headers, rows } = readCsv(
      'Payer,Member ID,First name,Last name,Service Type\n60054,W1,Ana,Ruiz,Office Visit\n60054,W1,Ana,Ruiz,"98, pt"\n',
    )
    expect(rows.map((row) => readRow(row, reading(headers)).faults)).toEqual([
      ['Not service type codes (X12 1365), such as 98: OFFICE, VISIT'],
      [],
    ])
  })

  it('says for each row what is missing and what cannot be read', () => {
    const { headers, rows } = readCsv(
      'Payer;Name;DOB\nUnknown plan;Jane Doe;2/30/04\n;"Doe, Jane";2004-04-04\n60054;"Doe, Jr., Jane";2004-04-04\n',
    )
    expect(rows.map((row) => readRow(row, reading(headers)).faults)).toEqual([
      [
        'Payer is not chosen',
        'First name is missing or the full name is not “Last, First”',
        'Birth date is not a valid date',
        'Member ID or birth date is required',
      ],
      ['Payer is missing'],
      ['The full name has more than one comma'],
    ])
  })

  it('is read as UTF-8, or as the encoding that Excel uses for "CSV (comma delimited)"', () => {
    expect(decodeCsv(new TextEncoder().encode('Peña').buffer)).toBe('Peña')
    expect(decodeCsv(Uint8Array.of(0x50, 0x65, 0xf1, 0x61).buffer)).toBe('Peña')
    expect(decodeCsv(Uint8Array.of(0xff, 0xfe, 0x50, 0, 0xf1, 0).buffer)).toBe('Pñ')
    expect(decodeCsv(Uint8Array.of(0xfe, 0xff, 0, 0x50, 0, 0xf1).buffer)).toBe('Pñ')
  })

  it('has an example whose every column is recognized', () => {
    const { headers, rows } = readCsv(exampleCsv)
    const { full: _full, ...mapping } = guessMapping(headers)
    expect(Object.values(mapping).sort()).toEqual(headers.map((_, place) => place))
    expect(readRow(rows[0]!, reading(headers)).faults).toEqual([])
  })

  it.each([
    ['a,b\n', 'no rows'],
    ['a\n"b', 'the quotation mark that opens in row 2, column 1 is not closed'],
    ['a,b\n"1\n1",2\n3,"4\n5,6\n7,8\n', 'the quotation mark that opens in row 3, column 2 is not closed'],
    ['a,b\n1,2\n3,x"y" z\n', 'in line 3, column 2, a quotation mark'],
    [`a\n${'b\n'.repeat(10_001)}`, 'at most'],
    ['PK\u0003\u0004\u0000', 'spreadsheet'],
  ])('that cannot be a batch is rejected with a message: %#', (text, words) =>
    expect(() => readCsv(text)).toThrow(words),
  )

  it.each([
    ['1984-02-29', '1984-02-29'],
    ['19840229', '1984-02-29'],
    ['02/29/1984', '1984-02-29'],
    ['2-9-1984', '1984-02-09'],
    ['2/9/1984 0:00', '1984-02-09'],
    ['1984-02-29T00:00:00', '1984-02-29'],
    ['02/30/1984', undefined],
    ['29/02/1984', undefined],
    ['2/9/84', '1984-02-09'],
    ['02-29-04 00:00', '2004-02-29'],
    ['2/9/26', '2026-02-09'],
    ['2/9/27', '1927-02-09'],
    ['2/30/84', undefined],
    ['2/9/984', undefined],
    ['', undefined],
  ])('accepts dates as people write them: %j', (text, date) => expect(readDate(text, 2026)).toBe(date))

  it('reads a two-digit birth year as the latest one in the past, that of a visit as a near one, and says so', () => {
    const year = new Date().getFullYear()
    const [thisYear, nextYear] = [year, year + 1].map((each) => String(each).slice(2))
    const text = `Payer,Member ID,First name,Last name,DOB,DOS\n60054,W1,Ana,Ruiz,1/1/${thisYear},1/2/${nextYear}\n60054,W1,Ada,Ruiz,1/1/${nextYear},\n`
    const { headers, rows } = readCsv(text)
    const [ana, ada] = rows.map((row) => readRow(row, reading(headers)).request)
    expect(ana?.subscriber.date_of_birth).toBe(`${year}-01-01`)
    expect(ana?.encounter?.date_of_service).toBe(`${year + 1}-01-02`)
    expect(ada?.subscriber.date_of_birth).toBe(`${year - 99}-01-01`)
    expect(shortYears(rows, guessMapping(headers))).toContain(`${year - 99} to ${year}`)
    const whole = readCsv('Payer,DOB\n60054,1/1/1990\n')
    expect(shortYears(whole.rows, guessMapping(whole.headers))).toBeUndefined()
  })

  it('starts with its first patient if it has no headers, and loses none if it has', () => {
    const text = '60054,W1,Ana,Ruiz,2/29/1984\nAetna,W2,Bo,Lee,1/1/1990\n'
    const { headers, rows, hasHeaders, lines } = readCsv(text)
    expect([hasHeaders, headers, rows.length]).toEqual([false, ['', '', '', '', ''], 2])
    expect(columnLabels(headers, rows[0]?.cells)[1]).toBe('Column 2: W1')
    const mapping = { ...guessMapping(headers), payer: 0, member: 1, first: 2, last: 3, born: 4 }
    expect(readRow(rows[0]!, { ...reading(headers), mapping }).request).toMatchObject({
      payer_id: '60054',
      subscriber: { first_name: 'Ana', date_of_birth: '1984-02-29' },
    })
    // The user knows better.
    expect(withHeaders(lines, true)).toMatchObject({ headers: ['60054', 'W1', 'Ana', 'Ruiz', '2/29/1984'] })
    expect(withHeaders(lines, true).rows).toHaveLength(1)
    // Headers that nobody knows are headers all the same.
    expect(readCsv('Versicherung,Nummer\nAOK,W1\n')).toMatchObject({
      hasHeaders: true,
      headers: ['Versicherung', 'Nummer'],
    })
    expect(readCsv(text.split('\n')[0] ?? '').rows).toHaveLength(1)
  })
})

it('does not use a column of the secondary coverage for the primary one', () => {
  const headers = ['Insurance (Secondary)', 'Member ID 2', 'Insurance (Primary)', 'Member ID 1']
  expect(guessMapping(headers)).toMatchObject({ payer: 2, member: 3 })
})

it('distinguishes columns with the same header or without one', () => {
  const { headers } = readCsv('Name,DOB,Name,\nAda,1980-01-02,One,x\n')
  expect(columnLabels(headers)).toEqual(['Name (column 1)', 'DOB', 'Name (column 3)', 'Column 4'])
})
