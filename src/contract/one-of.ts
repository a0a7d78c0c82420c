/** Choices in a sentence, none of which has a comma: `a, b or c`. */
export const oneOf = (choices: readonly unknown[]): string => choices.join(', ').replace(/, (?=[^,]*$)/, ' or ')
