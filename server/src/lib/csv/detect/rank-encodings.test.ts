import { describe, expect, it } from 'vitest';
import { encoderFor } from '../append/encode-text.ts';
import { rankEncodings } from './rank-encodings.ts';

/** A few lines in the language that each encoding was made for. */
const russian = 'Где вы живёте?\nНапишите короткий отзыв о товаре\nОчень хороший чайник, спасибо';
const japanese =
  '東京について短い文を書いてください\nこの商品はとても良いです\nありがとうございました';
const lines = {
  'windows-1252 German':
    'Größe;Straße;Übergröße\nschöne Tür für 5 €;Müller & Söhne;Äpfel\n„gut“, sagte er;Käse;böse',
  'windows-1252 French':
    'Écrivez à l’élève\nUne crème brûlée, déjà goûtée où ça\nNoël, le garçon et la forêt',
  'windows-1252 Spanish': '¿Dónde está el niño?\nEl año próximo, mañana\nUna canción más pequeña',
  'windows-1252 Portuguese': 'Não há informação\nSão Paulo é a maior região\nUma opinião às três',
  'windows-1252 Swedish': 'Räksmörgås på ön\nÅsa är född i Malmö\nDet går också bra',
  'windows-1250 Polish':
    'Zażółć gęślą jaźń\nProszę zapłacić za łódkę\nWięcej światła, ciężki źrebak',
  'windows-1250 Hungarian':
    'Árvíztűrő tükörfúrógép\nA fiú őrült jókedvű\nKérem, küldjön több könyvet és gyümölcsöt',
  'windows-1250 Czech': 'Příliš žluťoučký kůň\núpěl ďábelské ódy\nDěkuji, těší mě, šťastnou cestu',
  'windows-1251 Russian': russian,
  'koi8-r Russian': russian,
  'windows-1253 Greek':
    'Γράψε μια σύντομη κριτική\nΤο προϊόν είναι πολύ καλό\nΕυχαριστώ, θα το αγοράσω ξανά',
  'windows-1254 Turkish':
    'Çok güzel bir ürün, teşekkürler\nİstanbul’da yağmur yağıyor\nŞişli’de küçük bir ev, ışık açık',
  'windows-1255 Hebrew': 'המוצר הזה טוב מאוד\nתודה רבה על השירות המהיר\nאני רוצה לקנות עוד אחד',
  'windows-1256 Arabic': 'هذا المنتج جيد جدا\nشكرا على الخدمة السريعة\nأريد أن أشتري واحدا آخر',
  'windows-1257 Lithuanian':
    'Ačiū, labai gražus šąžiningas žmogus\nĮdomi knyga apie ąžuolą\nŽąsys ir mėlynės, šešių dienų kelionė',
  'windows-874 Thai': 'สินค้านี้ดีมาก\nขอบคุณสำหรับบริการที่รวดเร็ว\nฉันอยากซื้ออีกชิ้นหนึ่ง',
  'shift_jis Japanese': japanese,
  'euc-jp Japanese': japanese,
  'gb18030 Chinese': '请写一篇短文\n这个产品非常好\n谢谢你们的服务',
  'big5 Chinese': '請寫一篇短文\n這個產品非常好\n謝謝你們的服務',
  'euc-kr Korean': '짧은 글을 써 주세요\n이 제품은 정말 좋습니다\n빠른 배송 감사합니다',
};
const sentences = Object.entries(lines).map(([made, text]) => {
  const [encoding = '', language = ''] = made.split(' ');
  return [encoding, language, text] as const;
});

const encode = (text: string, encoding: string) =>
  encoderFor(encoding)?.(text).bytes ?? Buffer.alloc(0);

/** Whole texts, and single lines, which tell less. */
const cases = sentences.flatMap(([encoding, language, text]) =>
  [text, ...text.split('\n')].map((part) => ({ encoding, language, part })),
);

describe('ranking encodings', () => {
  it.each(sentences)('puts %s first for %s', (encoding, _, text) => {
    expect(new TextDecoder(encoding).decode(encode(text, encoding))).toBe(text);
    expect(rankEncodings(encode(text, encoding))[0]?.text).toBe(text);
  });

  it.each(cases)(
    'offers $encoding for “$part”, and alone only when right',
    ({ encoding, part }) => {
      const readings = new Set(rankEncodings(encode(part, encoding)).map(({ text }) => text));
      expect(readings).toContain(part);
    },
  );

  it('decides when all plausible encodings show the same letters', () => {
    const german = `${lines['windows-1252 German']}\n`.repeat(3);
    const readings = rankEncodings(encode(german, 'windows-1252'));
    expect(readings.length).toBeGreaterThan(1);
    expect(new Set(readings.map(({ text }) => text)).size).toBe(1);
  });

  it('puts UTF-8 first when only a few bytes are damaged', () => {
    const damaged = Buffer.concat([
      Buffer.from('Žluťoučký kůň úpěl ďábelské ódy'),
      Buffer.from([0xff]),
    ]);
    expect(rankEncodings(damaged)[0]?.encoding).toBe('utf-8');
  });
});
