import { describe, expect, it } from 'vitest'
import { readPayerCsv } from './csv.ts'

/** The heading and a row as Stedi's list has them, shortened to the kinds of columns that there are. */
const stedi = `"StediId","PrimaryPayerId","DisplayName","Names","Aliases","EligibilityInquiry","EligibilityInquiryEnrollmentRequired","EligibilityInquiryEnrollmentType","ClaimPaymentAdvice","ClaimPaymentAdviceEnrollmentRequired","ClaimPaymentEnrollmentType","ClaimPaymentEnrollmentTimeframe","ClaimPaymentEnrollmentSupportedAggregationPreferences","ClaimAttachmentsSupport","EmployerIdentificationNumbers","CoverageTypes","OperatingStates","Programs","PtanRequired","ParentPayerGroupId","ParentPayerGroupName","WebsiteUrl"
"YKHRB","95655","Northwind Health Plan","Northwind|Northwind of Maine","00420|NWH01","true","false","","true","true","ONE_CLICK","DAYS","NPI|TIN","false","56-0894904","dental|medical","ME|NH","MEDICARE","false","GTRSH","Northwind Group","https://northwind.example"
`

describe('a list of payers', () => {
  it('from Stedi is read with every field of the directory', () => {
    expect(readPayerCsv(stedi)).toEqual({
      payers: [
        {
          stedi_id: 'YKHRB',
          primary_payer_id: '95655',
          display_name: 'Northwind Health Plan',
          names: ['Northwind', 'Northwind of Maine'],
          aliases: ['00420', 'NWH01'],
          transaction_support: {
            eligibilityCheck: 'SUPPORTED',
            claimPayment: 'ENROLLMENT_REQUIRED',
            unsolicitedClaimAttachment: 'NOT_SUPPORTED',
          },
          payer_enrollment: {
            ptanRequired: false,
            transactionEnrollmentProcesses: {
              claimPayment: { type: 'ONE_CLICK', timeframe: 'DAYS', supportedAggregationPreferences: ['NPI', 'TIN'] },
            },
          },
          employer_identification_numbers: ['56-0894904'],
          coverage_types: ['dental', 'medical'],
          programs: ['MEDICARE'],
          parent_payer_group: 'Northwind Group',
        },
      ],
      ignored: [],
    })
  })

  it('may use our column names, and only the required ones', () => {
    const { payers } = readPayerCsv('payer_id,name,eligibility_check\n60054,Harbor Health,enrollment required\n')
    expect(payers).toEqual([
      {
        primary_payer_id: '60054',
        display_name: 'Harbor Health',
        transaction_support: { eligibilityCheck: 'ENROLLMENT_REQUIRED' },
      },
    ])
  })

  it('keeps leading zeros, quotes, commas and line ends within quotes', () => {
    const { payers } = readPayerCsv('payer id,name\n00042,"Quay, ""the Plan"""\n00043,"Harbor\r\nHealth"\n')
    expect(payers.map((payer) => Object.values(payer))).toEqual([
      ['00042', 'Quay, "the Plan"'],
      ['00043', 'Harbor Health'],
    ])
  })

  it.each([
    ['a byte order mark', '\ufeffpayer_id,name\n1,A\n'],
    ['Windows line ends', 'payer_id,name\r\n1,A\r\n'],
    ['old line ends', 'payer_id,name\r1,A\r'],
    ['blank lines and no last line end', 'payer_id,name\n\n1,A'],
    ['blanks around cells', ' payer_id , name \n 1 , A \n'],
  ])('may have %s', (_, text) => {
    expect(readPayerCsv(text).payers).toEqual([{ primary_payer_id: '1', display_name: 'A' }])
  })

  it('clears a field by an empty cell, and leaves a field without a column unchanged', () => {
    const [payer] = readPayerCsv('payer_id,name,aliases,coverage_types\n1,A,,\n').payers
    expect(payer).toStrictEqual({ primary_payer_id: '1', display_name: 'A', aliases: [], coverage_types: undefined })
  })

  it('reports the columns it ignores', () => {
    expect(readPayerCsv('payer_id,name,alias,fax\n1,A,B,2\n').ignored).toEqual(['alias', 'fax'])
  })
})

describe('a list with faults', () => {
  it.each([
    ['', /^the file is empty$/],
    ['payer_id,name\n', /no payers/],
    ['id,name\n1,A\n', /^line 1: .* PrimaryPayerId/],
    ['payer_id\n1\n', /^line 1: .* DisplayName/],
    ['payer_id,name,Payer name\n1,A,B\n', /^line 1: the columns name and Payer name are the same$/],
    ['payer_id,name\n1,A\n,B\n', /^line 3, column payer_id: it is empty$/],
    ['payer_id,name\n1,"A\r\nB"\r\n2,\n', /^line 4, column name: it is empty$/],
    ['payer_id,name\n1,A,x\n', /^line 2: the row has 3 cells, the header row 2$/],
    ['payer_id,name\n1,"A\n', /^line 2, column 2: a quote is not closed$/],
    ['payer_id,name\n1,A"B\n', /^line 2, column 2: a quote is in a place where none is allowed$/],
    ['payer_id,name\n1,"A"B\n', /^line 2, column 2: a quote is in a place where none is allowed$/],
    ['stedi_id,payer_id,name\nabcde,1,A\n', /^line 2, column stedi_id: must be five uppercase letters$/],
    ['payer_id,name,ClaimStatusInquiry\n1,A,perhaps\n', /^line 2, column ClaimStatusInquiry: must be true, false, /],
    ['payer_id,name,PtanRequired\n1,A,no\n', /^line 2, column PtanRequired: must be true or false$/],
    ['payer_id,name\n1,A\n2,B\n1,C\n', /^line 4: duplicate of the payer in line 2$/],
    ['stedi_id,payer_id,name\nABCDE,1,A\nABCDE,2,B\n', /^line 3: duplicate of the payer in line 2$/],
  ])('%j is rejected as a whole, and the error names the place', (text, message) => {
    expect(() => readPayerCsv(text)).toThrow(message)
  })

  it('reports ten faults and counts the others', () => {
    const text = `payer_id,name\n${',A\n'.repeat(25)}`
    expect(() => readPayerCsv(text)).toThrow(/line 11, column payer_id: it is empty; and 15 more$/)
  })
})
