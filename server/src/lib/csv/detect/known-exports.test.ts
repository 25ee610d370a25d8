import { describe, expect, it } from 'vitest';
import { cutWhole, importContent } from '../../../../harness/test-sheet.ts';
import { encoderFor } from '../append/encode-text.ts';

/** What a program exports, from memory of such files, and what a person sees in it. */
interface KnownExport {
  name: string;
  text: string;
  encoding?: string;
  /** With a bar between the cells, as the first row. */
  columns: string;
  rows: number;
  first: string;
  /** The file alone does not show it, so the page asks or says what it assumed. */
  isOpen?: true;
}

const repeat = (count: number, row: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => row(at + 1)).join('');

const knownExports: readonly KnownExport[] = [
  {
    name: 'Excel in German: semicolons and decimal commas, windows-1252',
    encoding: 'windows-1252',
    text: `Artikelnr.;Bezeichnung;Größe;Preis (€);Lagerort\r\n${repeat(40, (at) => `00${at};Schürze „Käthe“ für Köche;${at}0 cm;1.2${at},50;Düsseldorf\r\n`)}`,
    columns: 'Artikelnr.|Bezeichnung|Größe|Preis (€)|Lagerort',
    rows: 40,
    first: '001|Schürze „Käthe“ für Köche|10 cm|1.21,50|Düsseldorf',
  },
  {
    name: 'Excel in French: semicolons, windows-1252',
    encoding: 'windows-1252',
    text: `Référence;Désignation;Quantité;Prix;Livré le\r\n${repeat(30, (at) => `R${at};Théière émaillée à deux becs;${at};${at},90 €;0${(at % 9) + 1}/11/2026\r\n`)}`,
    columns: 'Référence|Désignation|Quantité|Prix|Livré le',
    rows: 30,
    first: 'R1|Théière émaillée à deux becs|1|1,90 €|02/11/2026',
  },
  {
    name: 'Excel in Polish: semicolons, windows-1250',
    encoding: 'windows-1250',
    text: `Nazwa;Miejscowość;Ilość;Cena\r\n${repeat(30, (at) => `Żółta łyżka świąteczna nr ${at};Łódź;${at};1${at},99 zł\r\n`)}`,
    columns: 'Nazwa|Miejscowość|Ilość|Cena',
    rows: 30,
    first: 'Żółta łyżka świąteczna nr 1|Łódź|1|11,99 zł',
  },
  {
    name: 'Excel "Unicode text": tabs in UTF-16',
    encoding: 'utf-16le',
    text: '\ufeffName\tOrt\tNotiz\r\nZoë\tKöln\t"zwei\nZeilen, mit Komma"\r\nÁdám\tGyőr\t\r\n',
    columns: 'Name|Ort|Notiz',
    rows: 2,
    first: 'Zoë|Köln|zwei\nZeilen, mit Komma',
  },
  {
    name: 'Google Sheets: commas, no last line end, commas and quotes in cells',
    text: 'Timestamp,Email Address,What should we improve?\r\n11/20/2026 9:31:02,ada@example.org,"More ""green"" teas, please"\r\n11/20/2026 10:02:45,bo@example.org,Nothing',
    columns: 'Timestamp|Email Address|What should we improve?',
    rows: 2,
    first: '11/20/2026 9:31:02|ada@example.org|More "green" teas, please',
  },
  {
    name: 'Shopify products: HTML in cells, further rows of one product nearly empty',
    text: 'Handle,Title,Body (HTML),Vendor,Tags,Published,Option1 Name,Option1 Value,Variant Price\narran-teapot,Arran teapot,"<p>Holds <b>two</b> cups,\nglazed; dishwasher-safe</p>",Mill,"tea, pots, new",true,Colour,Blue,24.90\narran-teapot,,,,,,,Green,24.90\nbute-mug,Bute mug,<p>Plain</p>,Mill,tea,true,Title,Default Title,9.50\n',
    columns:
      'Handle|Title|Body (HTML)|Vendor|Tags|Published|Option1 Name|Option1 Value|Variant Price',
    rows: 3,
    first:
      'arran-teapot|Arran teapot|<p>Holds <b>two</b> cups,\nglazed; dishwasher-safe</p>|Mill|tea, pots, new|true|Colour|Blue|24.90',
  },
  {
    name: 'HubSpot contacts: every cell quoted',
    text: '"Record ID","First Name","Last Name","Email","Lifecycle Stage","Notes"\n"1001","Ada","Lovelace","ada@example.org","Lead","Called; wants a quote, soon"\n"1002","Bo","","bo@example.org","Customer",""\n',
    columns: 'Record ID|First Name|Last Name|Email|Lifecycle Stage|Notes',
    rows: 2,
    first: '1001|Ada|Lovelace|ada@example.org|Lead|Called; wants a quote, soon',
  },
  {
    name: 'SAP list: a title, a date, bars and lines of dashes',
    text: '20.11.2026          Bestandsliste          1\n\n------------------------------------\n|Material|Werk|Bezeichnung |Bestand|\n------------------------------------\n|000017  |1000|Schraube M4 |  1.200|\n|000018  |1000|Mutter M4   |    350|\n|000019  |2000|Scheibe     |     12|\n------------------------------------\n',
    columns: 'Material|Werk|Bezeichnung|Bestand',
    rows: 3,
    first: '000017|1000|Schraube M4|1.200',
    isOpen: true,
  },
  {
    name: 'SAP spreadsheet export: tabs below a title',
    text: '20.11.2026\tBestandsliste\n\nMaterial\tWerk\tBezeichnung\tBestand\n000017\t1000\tSchraube M4\t1.200\n000018\t1000\tMutter M4\t350\n000019\t2000\tScheibe\t12\n',
    columns: 'Material|Werk|Bezeichnung|Bestand',
    rows: 3,
    first: '000017|1000|Schraube M4|1.200',
  },
  {
    name: 'LibreOffice: text cells quoted, numbers not',
    text: '"Name","Price","Stock"\n"Teapot, blue",24.9,3\n"Mug",9.5,12\n"Bowl",7,0\n',
    columns: 'Name|Price|Stock',
    rows: 3,
    first: 'Teapot, blue|24.9|3',
  },
  {
    name: 'Numbers: semicolons, the name of the table above',
    text: 'Tabelle 1;;\nName;Menge;Preis\nTee;3;4,50\nKaffee;1;6,20\nKakao;2;5,00\n',
    columns: 'Name|Menge|Preis',
    rows: 3,
    first: 'Tee|3|4,50',
  },
  {
    name: 'a German bank: lines about the account above, windows-1252',
    encoding: 'windows-1252',
    text: `"Kontonummer:";"DE02120300000000202051 / Girokonto"\r\n"Zeitraum:";"01.11.2026 - 20.11.2026"\r\n"Kontostand vom 20.11.2026:";"1.234,56 €"\r\n\r\n"Buchungstag";"Wertstellung";"Auftraggeber / Empfänger";"Verwendungszweck";"Betrag (EUR)"\r\n${repeat(20, (at) => `"0${(at % 9) + 1}.11.2026";"0${(at % 9) + 1}.11.2026";"Bäckerei Müßig";"Brötchen für Büro ${at}";"-${at},40"\r\n`)}`,
    columns: 'Buchungstag|Wertstellung|Auftraggeber / Empfänger|Verwendungszweck|Betrag (EUR)',
    rows: 20,
    first: '02.11.2026|02.11.2026|Bäckerei Müßig|Brötchen für Büro 1|-1,40',
  },
  {
    name: 'a British bank: a title and lines about the account',
    text: 'Account Name:,"Current account ****1234"\nAccount Balance:,£1204.11\nAvailable Balance:,£1704.11\n\nDate,Transaction type,Description,Paid out,Paid in,Balance\n19 Nov 2026,Visa purchase,"TEA SHOP, DOUGLAS",£4.20,,£1204.11\n18 Nov 2026,Bank credit,WAGES,,£900.00,£1208.31\n17 Nov 2026,Direct debit,GAS,£41.00,,£308.31\n16 Nov 2026,Visa purchase,BAKERY,£2.10,,£349.31\n',
    columns: 'Date|Transaction type|Description|Paid out|Paid in|Balance',
    rows: 4,
    first: '19 Nov 2026|Visa purchase|TEA SHOP, DOUGLAS|£4.20||£1204.11',
  },
  {
    name: 'Stripe payments: ids, amounts with decimal commas, empty cells at the end',
    text: 'id,Created (UTC),Amount,Currency,Description,Customer Email,Refunded date (UTC)\nch_1,2026-11-20 09:31,"24,90",eur,Order 1001,ada@example.org,\nch_2,2026-11-20 10:02,"9,50",eur,Order 1002,bo@example.org,\n',
    columns: 'id|Created (UTC)|Amount|Currency|Description|Customer Email|Refunded date (UTC)',
    rows: 2,
    first: 'ch_1|2026-11-20 09:31|24,90|eur|Order 1001|ada@example.org|',
  },
  {
    name: 'Amazon inventory: tabs, quotes in text that quote nothing',
    text: 'sku\tasin\titem-name\tprice\tquantity\nA-1\tB001\t24" monitor arm\t39.90\t4\nA-2\tB002\tDesk, 160 x 80 cm\t189.00\t1\nA-3\tB003\t"Best" lamp\t19.00\t0\n',
    columns: 'sku|asin|item-name|price|quantity',
    rows: 3,
    first: 'A-1|B001|24" monitor arm|39.90|4',
  },
  {
    name: 'Google Ads: a title and the period above, a total below',
    text: 'Search keyword report\n"1 November 2026 - 20 November 2026"\nKeyword status,Keyword,Match type,Clicks,Cost\nEnabled,blue teapot,Phrase,120,34.10\nEnabled,teapot for two,Broad,44,9.90\nPaused,tea set,Exact,3,1.20\nTotal: account,,,167,45.20\n',
    columns: 'Keyword status|Keyword|Match type|Clicks|Cost',
    rows: 4,
    first: 'Enabled|blue teapot|Phrase|120|34.10',
  },
  {
    name: 'Google Analytics: comment lines above',
    text: '# ----------------------------------------\n# Pages and screens\n# 20261101-20261120\n# ----------------------------------------\n\nPage path,Views,Users\n/,1200,800\n/tea,300,250\n/about,44,40\n',
    columns: 'Page path|Views|Users',
    rows: 3,
    first: '/|1200|800',
  },
  {
    name: 'PostgreSQL COPY with a header, empty strings quoted',
    text: 'id,name,note,created_at\n1,Ada,"",2026-11-20 09:31:00+00\n2,Bo,,2026-11-20 09:32:00+00\n',
    columns: 'id|name|note|created_at',
    rows: 2,
    first: '1|Ada||2026-11-20 09:31:00+00',
  },
  {
    name: 'MySQL with apostrophes and semicolons',
    text: "id;'name';'city'\n1;'Ada; Countess';'London'\n2;'Bo';'Douglas'\n3;'Cy';'Ramsey'\n",
    columns: 'id|name|city',
    rows: 3,
    first: '1|Ada; Countess|London',
  },
  {
    name: 'a sep= line of Excel',
    text: 'sep=,\r\nName,Score\r\nAda,3\r\nBo,5\r\n',
    columns: 'Name|Score',
    rows: 2,
    first: 'Ada|3',
  },
  {
    name: 'a list of single words without a header',
    text: 'teapot\nmug\nbowl\nplate\nsaucer\nkettle\n',
    columns: 'Prompt',
    rows: 6,
    first: 'teapot',
    isOpen: true,
  },
  {
    name: 'a list of single words below a header',
    text: 'Keyword\nteapot\nmug\nbowl\nplate\nsaucer\n',
    columns: 'Keyword',
    rows: 5,
    first: 'teapot',
  },
  {
    name: 'a list of domains without a header',
    text: 'example.org\nexample.com\nteapot.example\nmill.example\n',
    columns: 'Prompt',
    rows: 4,
    first: 'example.org',
  },
  {
    name: 'names and towns without a header',
    text: 'Ada Lovelace,London,36\nBo Diddley,Douglas,79\nCy Twombly,Rome,83\n',
    columns: 'Column 1|Column 2|Column 3',
    rows: 3,
    first: 'Ada Lovelace|London|36',
  },
  {
    name: 'Mailchimp with an apostrophe in a name',
    text: "Email Address,First Name,Last Name,MEMBER_RATING\nada@example.org,Ada,O'Brien,3\nbo@example.org,Bo,D'Arcy,2\n",
    columns: 'Email Address|First Name|Last Name|MEMBER_RATING',
    rows: 2,
    first: "ada@example.org|Ada|O'Brien|3",
  },
  {
    name: 'a Japanese shop: Shift JIS',
    encoding: 'shift_jis',
    text: `商品番号,商品名,価格\r\n${repeat(20, (at) => `${at},青い急須と湯のみのセット,${at}200\r\n`)}`,
    columns: '商品番号|商品名|価格',
    rows: 20,
    first: '1|青い急須と湯のみのセット|1200',
  },
];

describe('the export of a known program', () => {
  it.each(knownExports)('is read as a person sees it, or not called sure: $name', async (known) => {
    const { text, encoding = 'utf-8', columns, rows: count, first, isOpen } = known;
    const bytes = encoderFor(encoding)?.(text).bytes ?? Buffer.alloc(0);
    const { sheet, rows } = await importContent(bytes);
    if (isOpen) expect(sheet.isSure && sheet.report.total === 0).toBe(false);
    else
      expect([sheet.columns.join('|'), rows.length, rows[0]?.join('|')]).toEqual([
        columns,
        count,
        first,
      ]);
    async function* whole() {
      yield bytes;
    }
    const cut = await cutWhole(whole(), sheet.dialect);
    expect({ isSame: cut.bytes.equals(bytes), rows: cut.rows }).toEqual({
      isSame: true,
      rows: rows.length,
    });
  });
});
