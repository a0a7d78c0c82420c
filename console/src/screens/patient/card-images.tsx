// Images of the insurance card: taken with a tablet's camera or chosen as files, enlarged and rotated.
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { call, uploadTo } from '../../api/client.ts'
import type { Coverage, CoverageImageSide, Image, MutableImage } from '../../api/generated.ts'
import { useRead } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { announce } from '../../ui/announce.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Problem } from '../../ui/states.tsx'
import styles from './card-images.module.css'
import patientStyles from './patient.module.css'

const sides: Record<CoverageImageSide, string> = { FRONT: 'Front of the card', BACK: 'Back of the card' }

export function CardImages({ coverage }: { coverage: Coverage }) {
  const maySee = useMay('images.getMulti')
  const mayAdd = useMay('images.create')
  const query = { query: { coverage_id: coverage.id } }
  const { data, error, refetch } = useRead('images.getMulti', query, { enabled: maySee })
  const [failure, setFailure] = useState<unknown>()
  const [shown, show] = useState<Image>()
  const [unshowable] = useState(() => new Set<string>())
  const uploaded = (data ?? []).filter(({ status }) => status === 'UPLOADED')
  if (!maySee) return null

  /** A side has one image, whose picture is replaced once the new one is there. One whose upload failed has none yet. */
  async function add(side: CoverageImageSide, file: File) {
    setFailure(undefined)
    const of = { id: coverage.id, side }
    const named = { file_name: file.name, display_name: sides[side], file_type: file.type, coverage: of }
    try {
      const stored = await call('images.getMulti', query)
      const image = stored.find((each) => each.coverage?.side === side)
      await uploadTo(
        await (image ? rename(image, named) : call('images.create', { body: { ...named, status: 'PENDING' } })),
        file,
      )
      announce(`${sides[side]} was added.`)
    } catch (caught) {
      setFailure(caught)
    }
    await refetch()
  }
  return (
    <div className={styles.images}>
      {failure !== undefined && <Problem error={failure} />}
      {error && !data && <Problem error={error} retry={refetch} />}
      {(Object.keys(sides) as CoverageImageSide[]).map((side) => {
        const image = uploaded.find(({ coverage: of }) => of?.side === side)
        return (
          <div key={side}>
            {image && (
              <Thumb
                key={image.signed_url}
                name={sides[side]}
                image={image}
                unshowable={unshowable}
                onShow={() => show(image)}
              />
            )}
            {mayAdd && (
              <AddImage
                label={image ? `Replace: ${sides[side]}` : sides[side]}
                of={`${coverage.insurance_plan.payer_name}, ${coverage.insurance_plan.member_id}`}
                onFile={(file) => add(side, file)}
              />
            )}
          </div>
        )
      })}
      {shown && <Viewer image={shown} onClose={() => show(undefined)} />}
    </div>
  )
}

interface ThumbProps {
  name: string
  image: Image
  /** The images that this browser could not show. Each reading has new addresses, and a broken picture would be seen again until it has failed. */
  unshowable: Set<string>
  onShow: () => void
}

/** A picture to be enlarged, or the file that this browser cannot show: HEIC of a phone, or a PDF that another system stored. */
function Thumb({ name, image, unshowable, onShow }: ThumbProps) {
  const [isShown, setShown] = useState(!unshowable.has(image.id))
  const settle = (isLoaded: boolean) => {
    if (isLoaded) unshowable.delete(image.id)
    else unshowable.add(image.id)
    setShown(isLoaded)
  }
  return (
    <>
      {!isShown && (
        <p className={styles.unshown}>
          {name}: the file cannot be shown here.{' '}
          <a href={addressOf(image)} download={image.file_name}>
            Download {image.file_name}
          </a>
        </p>
      )}
      <button type="button" className={styles.thumb} hidden={!isShown} onClick={onShow}>
        <img src={addressOf(image)} alt={name} onLoad={() => settle(true)} onError={() => settle(false)} />
      </button>
    </>
  )
}

function rename(
  { id, version, status, patient }: Image,
  named: Omit<MutableImage, 'status' | 'patient'>,
): Promise<Image> {
  return call('images.update', { path: { id, version }, body: { ...named, status, ...(patient && { patient }) } })
}

/** The signed address with the host of this page. */
function addressOf({ signed_url }: Image): string {
  const { pathname, search } = new URL(signed_url)
  return pathname + search
}

function AddImage({ label, of, onFile }: { label: string; of: string; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${label}… of ${of}`}
        onClick={() => input.current?.click()}
      >
        {label}…
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={label}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) onFile(file)
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

const ZOOMS = [1, 1.5, 2, 3]

function Viewer({ image, onClose }: { image: Image; onClose: () => void }) {
  const [turns, setTurns] = useState(0)
  const [zoom, setZoom] = useState(0)
  const [ratio, setRatio] = useState(1)
  const isOnItsSide = turns % 2 === 1
  return (
    <Dialog onClose={onClose} title={image.display_name} size="90vw">
      <div className={patientStyles.row}>
        <Button variant="default" onClick={() => setTurns(turns + 1)}>
          Rotate
        </Button>
        <Button variant="default" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
          Larger
        </Button>
        <Button variant="default" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          Smaller
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className={styles.viewer} tabIndex={0} aria-label="Card image">
        {/* A rotation leaves the space of an element as it was: the frame has that of the image as it is turned, so that all of it can be scrolled to. */}
        <div
          className={styles.frame}
          style={{
            width: `${((ZOOMS[zoom] ?? 1) * 100) / (isOnItsSide ? ratio : 1)}%`,
            aspectRatio: isOnItsSide ? 1 / ratio : ratio,
          }}
        >
          <img
            src={addressOf(image)}
            alt={image.display_name}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setRatio(naturalWidth / naturalHeight || 1)}
            style={{ width: `${isOnItsSide ? ratio * 100 : 100}%`, rotate: `${turns * 90}deg` }}
          />
        </div>
      </section>
    </Dialog>
  )
}
