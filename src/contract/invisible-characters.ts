/**
 * Invisible characters that mean nothing in a name, number or note: controls except line breaks and tabs, and what Unicode calls
 * ignorable, such as zero-width spaces, soft hyphens, tags, and marks that turn the writing direction. Because of them two MRNs, tags or member ids that
 * look the same would differ. Joiners, variation selectors and Hangul fillers stay, since they change letters. Source: Unicode Technical
 * Standard 39, 3.1; decisions/0023-text-beyond-ascii.md.
 */
export const INVISIBLE =
  /(?![\t-\r\u0085\u115f\u1160\u3164\uffa0\p{Join_Control}\p{Variation_Selector}])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

/** Whether a text shows nothing: it is empty, or consists of blanks and characters that draw nothing. */
export const isBlank = (text: string): boolean => !/[^\s\p{Default_Ignorable_Code_Point}]/u.test(text)
