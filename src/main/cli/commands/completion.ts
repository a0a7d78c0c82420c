import type { CommandGroup, Declaration } from '../program/declaration.ts'

/** `declarations` returns all commands, this one too: they are known only when all are declared. */
export const completionOf = (declarations: () => readonly Declaration[]): CommandGroup => ({
  name: 'completion',
  summary: 'print a script that completes commands and flags in a shell',
  commands: [
    {
      name: 'bash',
      summary: 'print the completion script for bash',
      examples: ['source <(anteroom completion bash)'],
      run: async () => (await import('../program/completion.ts')).bash(declarations()),
    },
    {
      name: 'zsh',
      summary: 'print the completion script for zsh',
      examples: ['anteroom completion zsh > ~/.zfunc/_anteroom'],
      run: async () => (await import('../program/completion.ts')).zsh(declarations()),
    },
  ],
})
