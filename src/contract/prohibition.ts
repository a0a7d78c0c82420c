// The note of an answer that forbids to bill the patient. The interface has no field for it: the service writes the sentence, the console reads it.

/** Source: 42 U.S.C. 1396a(n)(3)(B): a provider that bills a QMB for Medicare cost sharing is sanctioned. */
export const PROHIBITION_TO_BILL =
  'Qualified Medicare Beneficiary (QMB): billing the patient for Medicare cost sharing is against the law'
