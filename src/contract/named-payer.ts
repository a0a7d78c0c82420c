/** Whether a recommendation names the payer of this plan: by the payer ID where it has one, otherwise by the payer's name. Source: rules.md 13.8. */
export function namesPayerOf(
  { payer_id: id, payer_name: name }: { payer_id?: string | undefined; payer_name?: string | undefined },
  plan: { payer_id: string; payer_name: string },
): boolean {
  if (id !== undefined) return plan.payer_id.toLowerCase() === id.toLowerCase()
  return name !== undefined && plan.payer_name.toLowerCase() === name.toLowerCase()
}
