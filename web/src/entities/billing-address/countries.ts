import { language } from '../../texts/language.ts';

/** All assigned codes of ISO 3166-1 alpha-2. */
const codes = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF ' +
  'CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH ' +
  'GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW ' +
  'KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG ' +
  'NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN ' +
  'SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ' +
  'ZA ZM ZW'
).split(' ');

/** Most buyers are here. */
const first: readonly string[] = ['IM', 'GB'];

export interface Country {
  code: string;
  name: string;
}

/** Country names in the language of the site. An unknown stored code stays selectable. */
export function listCountries(stored = ''): { usual: Country[]; others: Country[] } {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const named = (code: string): Country => ({ code, name: names.of(code) ?? code });
  const isUnknown = /^[A-Z]{2}$/.test(stored) && !codes.includes(stored);
  const others = [
    ...codes.filter((code) => !first.includes(code)),
    ...(isUnknown ? [stored] : []),
  ].map(named);
  return {
    usual: first.map(named),
    others: others.sort((a, b) => a.name.localeCompare(b.name, language)),
  };
}
