/** An open dialog: Mantine's, or the browser's own. */
export const OPEN_DIALOG = '[role="dialog"], dialog[open]'
