// Code lists of the guide that several segments share. Source: 005010X279A1; X12 1365, 1336, 374, 901, 889.

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
const lettered = (letter: string, seconds: string) => [...seconds].map((second) => letter + second)

/** EQ01 and EB03. 29 and 31 are not among them. */
export const serviceTypes = [
  ...range(1, 28),
  '30',
  ...range(32, 99),
  ...lettered('A', '0123456789ABCDEFGHIJKLMNOQR'),
  ...lettered('B', '123ABCDEFGHIJKLMNPQRSTUVWXYZ'),
  ...lettered('C', '1ABCDEFGHIJKLMNOPQ'),
  ...'DG DM DS GF GN GY IC MH NI ON PT PU RN RT TC TN UC'.split(' '),
].join(' ')

export const providerCodes = 'AD AT BI CO CV H HH LA OT P1 P2 PC PE R RF SK SU'
export const insuranceTypes =
  '12 13 14 15 16 41 42 43 47 AP C1 CO CP D DB EP FF GP HM HN HS IN IP LC LD LI LT MA MB MC MH MI MP OT PE PL PP PR PS QM RP SP TF WC WU'
export const periods = '6 7 13 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35'
export const followUps = 'C N R S W X Y'
export const contactKinds = 'ED EM FX TE UR'
export const serviceRejections = '15 33 52 53 54 55 56 57 60 61 62 63 69 70 98 AA AE AF AG AO CI E8 IA MA'
export const levelDates = '096 102 152 291 307 318 340 341 342 343 346 347 356 357 382 435 442 458 472 539 540 636 771'
export const benefitDates = '096 193 194 198 290 291 292 295 304 307 318 346 348 349 356 357 435 472 636 771'
export const deliveryPatterns = '1 2 3 4 5 6 7 8 9 A B C D E F G H J K L M N O P Q R S SG SL SP SX SY SZ T U V W X Y'
export const procedureQualifiers = 'AD CJ HC ID IV N4 ZZ'
