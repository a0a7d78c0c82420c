/** Medicare's payer id, for coverages with a Medicare number. */
export const MEDICARE_PAYER_ID = 'CMS'
