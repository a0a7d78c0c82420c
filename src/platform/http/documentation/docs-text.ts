const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML, also in attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** The small part of Markdown that descriptions use: paragraphs, `code` and **strong**. */
export function formatted(markdown: string): string {
  const inline = (text: string) =>
    escapeHtml(text)
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
  const paragraphs = markdown.split('\n\n')
  return paragraphs.length === 1 ? inline(markdown) : paragraphs.map((each) => `<p>${inline(each)}</p>`).join('\n')
}
