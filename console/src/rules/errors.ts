// What an error of the API means for the person at the screen.

export interface Told {
  status: number
  message: string
  /** What the error says besides; a conflict of versions names the latest one. */
  content?: { latest_version?: unknown }
}

const words: Record<number, [title: string, advice: string]> = {
  0: ['The service cannot be reached', 'Check the network. What you typed is kept; try again.'],
  403: ['You may not do this', 'Ask an administrator of your organization for the permission.'],
  404: ['This does not exist', 'It may have been removed, or the address is wrong.'],
  409: ['This conflicts with what is stored', 'Change it, then try again.'],
  413: ['This is too large', 'Send a smaller file.'],
  429: ['Too many requests', 'Wait a moment, then try again.'],
}

/** The title says what happened; the advice says what to do, and ends with what the server told where that helps. */
export function explainError({ status, message, content }: Told): { title: string; advice: string } {
  if (status === 409 && content?.latest_version !== undefined) {
    return { title: 'Somebody else changed this meanwhile', advice: 'Look at what changed, then try again.' }
  }
  const known = words[status]
  if (known) return { title: known[0], advice: status === 404 || status === 0 ? known[1] : join(known[1], message) }
  if (status === 400 || status === 422) {
    return { title: 'The service did not accept this', advice: sentence(message) || 'Check what you typed.' }
  }
  if (status >= 500)
    return {
      title: 'The service could not do this',
      advice: 'Try again in a moment. If you were saving, look first whether it was saved.',
    }
  return { title: 'Something went wrong on this page', advice: 'Reload the page. What you typed is kept.' }
}

const join = (advice: string, message: string) =>
  message ? `${advice} The service says: ${sentence(message)}` : advice

const sentence = (text: string) => (text ? `${text[0]?.toUpperCase()}${text.slice(1).replace(/[.]?$/, '.')}` : '')
