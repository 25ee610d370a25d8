import { describe, expect, it } from 'vitest';
import { rankEncodings } from './encoding.ts';

/** Sentences with their bytes in each encoding. */
const sentences: [string, string, string][] = [
  [
    'windows-1252',
    'Écrivez à l’élève – 50 €',
    'c9637269 76657a20 e0206c92 e96ce876 65209620 35302080',
  ],
  ['windows-1252', '¿Dónde está el niño?', 'bf44f36e 64652065 7374e120 656c206e 69f16f3f'],
  ['windows-1252', 'CAFÉ CRÈME', '434146c9 204352c8 4d45'],
  ['windows-1250', 'Zażółć gęślą jaźń', '5a61bff3 b3e62067 ea9c6cb9 206a619f f1'],
  ['iso-8859-2', 'Příliš žluťoučký kůň', '50f8ed6c 69b920be 6c75bb6f 75e86bfd 206bf9f2'],
  ['windows-1251', 'Где вы живёте?', 'c3e4e520 e2fb20e6 e8e2b8f2 e53f'],
  ['shift_jis', '東京について', '938c8b9e 82c982c2 82a282c4'],
  ['euc-jp', '東京について', 'c5ecb5fe a4cba4c4 a4a4a4c6'],
  ['gb18030', '请写一篇短文', 'c7ebd0b4 d2bbc6aa b6cccec4'],
  ['big5', '請寫一篇短文', 'bdd0bc67 a440bd67 b575a4e5'],
  ['euc-kr', '짧은 글을 써 주세요', 'c2aac0ba 20b1dbc0 bb20bde1 20c1d6bc bcbfe4'],
];

describe('ranking encodings', () => {
  it.each(sentences)('puts %s first for “%s”', (encoding, sentence, hex) => {
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    expect(new TextDecoder(encoding).decode(bytes)).toBe(sentence);
    expect(rankEncodings(bytes)[0]).toBe(encoding);
  });

  it('puts UTF-8 first when only a few bytes are damaged', () => {
    const damaged = Buffer.concat([
      Buffer.from('Žluťoučký kůň úpěl ďábelské ódy'),
      Buffer.from([0xff]),
    ]);
    expect(rankEncodings(damaged)[0]).toBe('utf-8');
  });
});
