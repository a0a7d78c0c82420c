import { join } from 'node:path'
import type { Config } from '../../config.ts'

/** Where images are stored without `S3_BUCKET`. */
export const imageFolderOf = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'images')
