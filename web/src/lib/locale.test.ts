import { expect, it } from 'vitest';
import { localeFor } from './locale.ts';

it.each(['de-DE', 'en-NZ', 'hi-IN', 'ja-JP', 'th-TH'])('writes numbers and times as %s', (own) => {
  expect(localeFor(own)).toBe(own);
});

it.each(['ar-EG', 'ar-MA', 'fa-IR', 'ur-PK', 'bn-BD', 'mr-IN', 'my-MM'])(
  'writes numbers and times in the language of the texts, where %s would not fit into them',
  (own) => {
    expect(localeFor(own)).toBe('en');
  },
);
