/** One entry of a description list; renders nothing without text. */
export function Fact({ label, text }: { label: string; text: string | undefined }) {
  if (!text) return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{text}</bdi>
      </dd>
    </div>
  )
}
