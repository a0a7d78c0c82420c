export default function SearchDialog({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" onClick={onClose}>
      x
    </button>
  )
}
