/** The members that may be undefined are optional instead. */
type Defined<Members> = { [Key in keyof Members as undefined extends Members[Key] ? never : Key]: Members[Key] } & {
  [Key in keyof Members as undefined extends Members[Key] ? Key : never]?: Exclude<Members[Key], undefined>
}

/** The object without its members that are undefined. */
export function withoutUndefined<const Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>
}
