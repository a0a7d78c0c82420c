/** How the driver writes a value as a parameter; its types have only its main module. */
declare module 'pg/lib/utils.js' {
  export function prepareValue(value: unknown): string | Buffer | null
}
