import { escapeXml } from '../../clearinghouses/core/xml.ts'
import type { Roster, RosterMember } from './roster.ts'

/** A page that lists the sandbox's payers and members and how it answers for them. */
export function overviewPage(roster: Roster, url: string): string {
  const payers = roster.payers.map(({ id, name, aliases = [] }) => row([id, name, aliases.join(', ')]))
  const members = roster.members.map((member) =>
    row([
      member.payer,
      member.memberId,
      `${member.firstName} ${member.lastName}`,
      member.birthDate,
      (member.dependents ?? [])
        .map(({ firstName, lastName, birthDate }) => `${firstName} ${lastName} ${birthDate}`)
        .join(', '),
      roster.plans[member.plan]?.name ?? '',
      coverage(member),
      member.about,
    ]),
  )
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Anteroom sandbox clearinghouse</title>
<style>body{font:15px/1.4 system-ui;margin:2rem}table{border-collapse:collapse}td,th{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #ddd}</style>
</head><body>
<h1>Sandbox clearinghouse</h1>
<p>CAQH CORE 2.2.0 real time (SOAP 1.2, SOAP 1.1, MIME) at <code>${escapeXml(url)}</code>. All people are invented.</p>
<h2>Payers</h2>${table(['Payer ID', 'Name', 'Also known as'], payers)}
<h2>Members</h2>${table(['Payer', 'Member ID', 'Name', 'Born', 'Dependents', 'Plan', 'Coverage', 'What it shows'], members)}
</body></html>
`
}

function coverage({ from, to }: RosterMember): string {
  return to === undefined ? `since ${from}` : `${from} to ${to}`
}

function table(heads: string[], rows: string[]): string {
  return `<table><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${rows.join('\n')}</table>`
}

function row(cells: string[]): string {
  return `<tr>${cells.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`
}
