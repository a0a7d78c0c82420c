/** The place of a check in the order in which the database stored them: the clocks of the machines may differ (decisions/0088-order-of-checks.md). */
export const orderOfCheck = (alias: string) => `(coalesce(${alias}.opened_at, ${alias}.initiated_at), ${alias}.id)`
