// Reads and writes through the cache of TanStack Query. The key of a read is its operation and its input.
import { QueryClient, type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, ApiError, call, type Input, type OperationName } from './client.ts'
import { isLost } from './create-once.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 3 && isPassing(error),
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, 10_000),
    },
    // A write is never retried automatically: the user decides.
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Whether a retry of the same call may succeed. */
const isPassing = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)

export const keyOf = <Name extends OperationName>(name: Name, input: Input<Name>) => [name, input] as const

/** Refetches the coverages that are shown: those of a patient, and the one that an answer is about. */
export const readCoveragesAgain = () =>
  Promise.all(
    ['coverages.getMulti', 'coverages.get'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  )

type Options<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'>

export const read = <Name extends OperationName>(name: Name, input: Input<Name>, options?: Options<Answer<Name>>) => ({
  ...options,
  queryKey: keyOf(name, input),
  queryFn: ({ signal }: { signal: AbortSignal }) => call(name, input, signal),
})

export const useRead = <Name extends OperationName>(name: Name, input: Input<Name>, options?: Options<Answer<Name>>) =>
  useQuery(read(name, input, options))

/** Whether the record is not as it was shown: another user has changed or removed it. */
const isOutdated = (error: ApiError) => error.status === 404 || error.status === 409

/**
 * A write. Afterwards all reads of the operations in `changes` are repeated, also when it was refused because they were out of date, and when its
 * answer was lost: a user who is told to look whether it was done sees it.
 */
export function useWrite<Name extends OperationName>(name: Name, changes: readonly OperationName[] = []) {
  const client = useQueryClient()
  const readAgain = () => Promise.all(changes.map((changed) => client.invalidateQueries({ queryKey: [changed] })))
  return useMutation<Answer<Name>, ApiError, Input<Name>>({
    mutationFn: (input) => call(name, input),
    onSuccess: readAgain,
    onError: (error) => {
      if (isOutdated(error)) return readAgain()
      // Not waited for: while the service is away it takes seconds, and the user would be told nothing.
      if (isLost(error)) void readAgain()
    },
  })
}
