import { Button } from '@mantine/core'
import { useState } from 'react'

/** Where somebody is in a list, newest first, that the API returns by pages. */
interface Pages {
  /** Of the page that is shown; undefined for the first one. */
  token: string | undefined
  isFirst: boolean
  /** For another list, such as one with other filters. */
  restart: () => void
  newer: () => void
  older: (token: string) => void
}

export function usePages(): Pages {
  const [tokens, setTokens] = useState<readonly string[]>([])
  return {
    token: tokens.at(-1),
    isFirst: tokens.length === 0,
    restart: () => setTokens([]),
    newer: () => setTokens(tokens.slice(0, -1)),
    older: (token) => setTokens([...tokens, token]),
  }
}

/** The buttons to the pages before and after the one that is shown, where there are any. */
export function PageButtons({ pages, next, size }: { pages: Pages; next: string | undefined; size?: 'xs' }) {
  const shape = { variant: 'default', ...(size && { size }) }
  return (
    <>
      {!pages.isFirst && (
        <Button {...shape} onClick={pages.newer}>
          Newer
        </Button>
      )}
      {next && (
        <Button {...shape} onClick={() => pages.older(next)}>
          Older
        </Button>
      )}
    </>
  )
}
