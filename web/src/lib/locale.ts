import { language } from '../texts/language.ts';

const rightToLeft = /[\u0590-\u08ff\u200f]/;

/**
 * Numbers, money and times are written as the person's locale writes them. The texts around them
 * run from left to right and compare counts with 0 and 1. So a locale that has other digits or
 * runs from right to left gives way to the language of the texts.
 */
export function localeFor(own?: string): string | undefined {
  const time = new Intl.DateTimeFormat(own, { dateStyle: 'medium', timeStyle: 'short' }).format(0);
  const hasOtherDigits = new Intl.NumberFormat(own).format(0) !== '0';
  return hasOtherDigits || rightToLeft.test(time) ? language : own;
}

export const locale = localeFor();
