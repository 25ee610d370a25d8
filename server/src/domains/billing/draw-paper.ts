import { join } from 'node:path';
import type { BillingAddress } from '@rowmill/contract';
import Pdf from 'pdfkit';
import type { PaperDocument, PaperSeries } from '../../db/billing-tables.ts';
import { formatMoney } from '../../lib/money.ts';

export interface Paper {
  series: PaperSeries;
  number: string;
  orderId: string;
  issued_at: Date;
  document: PaperDocument;
}

const titles: Record<PaperSeries, string> = { INV: 'Invoice', CN: 'Credit note' };
const margin = 56;
const width = 595 - 2 * margin;
/** Where each column begins, and how wide it is. */
const columns = {
  name: [0, 250],
  quantity: [250, 50],
  each: [300, 90],
  total: [390, width - 390],
} as const;
/**
 * Names and addresses are written in many letters, and those fonts that every reader of PDF brings along know Western Europe's
 * only. This one knows Latin of all languages, Greek, Cyrillic, Armenian and Georgian; what it does not know, such as Chinese,
 * shows as an empty box, for a changed name on an invoice would be a wrong one. Only the letters used go into the file.
 */
const fontFile = join(import.meta.dirname, 'fonts/DejaVuSansCondensed.ttf');
/** Bold without a second font: the letters get an edge of their own colour. */
const heavy = { fill: true, stroke: true };
const ink = '#17211d';
const soft = '#5c6763';

/** One page of A4 from a frozen document, and more when it has many lines. The same document gives the same page. */
export function drawPaper(paper: Paper): Promise<Buffer> {
  const { company, customer, lines, currency, tax, total_minor: total, note } = paper.document;
  const pdf = new Pdf({
    size: 'A4',
    margin,
    font: fontFile,
    info: {
      Title: `${titles[paper.series]} ${paper.number}`,
      Author: company.name,
      CreationDate: paper.issued_at,
    },
  });
  const done = collect(pdf);
  pdf
    .fillColor(ink)
    .strokeColor(ink)
    .lineWidth(0.4)
    .fontSize(20)
    .text(`${titles[paper.series]} ${paper.number}`, heavy);
  small(pdf, `Issued on ${dayOf(paper.issued_at)} · Order ${paper.orderId}`);
  pdf.moveDown(1.5);
  drawParties(pdf, [
    ['From', [company.name, ...company.address.split(', '), company.email, company.phone]],
    [
      'To',
      [
        customer.address.company ?? '',
        customer.address.name || customer.name,
        ...addressLines(customer.address),
        customer.email,
      ],
    ],
  ]);
  pdf.moveDown(2);
  drawRow(pdf, { name: 'Description', quantity: 'Number', each: 'Each', total: 'Total' }, soft);
  for (const line of lines) {
    const each = formatMoney(line.rate_minor, currency);
    drawRow(pdf, {
      name: line.name,
      quantity: String(line.quantity),
      each,
      total: formatMoney(line.total_minor, currency),
    });
  }
  pdf
    .moveDown(0.5)
    .moveTo(margin, pdf.y)
    .lineTo(margin + width, pdf.y)
    .strokeColor('#c9d1cd')
    .stroke()
    .strokeColor(ink)
    .moveDown(0.5);
  drawRow(pdf, {
    name: '',
    quantity: '',
    each: 'Net',
    total: formatMoney(total - tax.minor, currency),
  });
  drawRow(pdf, {
    name: '',
    quantity: '',
    each: `${tax.name} ${tax.percent}%`,
    total: formatMoney(tax.minor, currency),
  });
  drawRow(
    pdf,
    { name: '', quantity: '', each: 'Total', total: formatMoney(total, currency) },
    ink,
    heavy,
  );
  pdf.moveDown(1.5);
  small(pdf, `${note}. All prices include ${tax.name}.`);
  pdf.end();
  return done;
}

function drawParties(
  pdf: PDFKit.PDFDocument,
  parties: readonly (readonly [string, readonly string[]])[],
): void {
  const top = pdf.y;
  const bottoms = parties.map(([title, lines], index) => {
    const x = margin + (index * width) / 2;
    pdf.fillColor(soft).fontSize(9).text(title, x, top);
    pdf.fillColor(ink).fontSize(10);
    for (const line of lines.filter(Boolean))
      pdf.text(written(line), x, pdf.y, { width: width / 2 - 12 });
    return pdf.y;
  });
  pdf.x = margin;
  pdf.y = Math.max(...bottoms);
}

function drawRow(
  pdf: PDFKit.PDFDocument,
  cells: Record<keyof typeof columns, string>,
  colour = ink,
  weight = {},
): void {
  if (pdf.y > 760) pdf.addPage();
  const top = pdf.y;
  const bottoms = Object.entries(columns).map(([name, [x, cellWidth]]) => {
    const align = name === 'name' ? 'left' : 'right';
    const text = written(cells[name as keyof typeof columns]);
    pdf
      .fillColor(colour)
      .fontSize(10)
      .text(text, margin + x, top, { width: cellWidth, align, ...weight });
    return pdf.y;
  });
  pdf.x = margin;
  pdf.y = Math.max(...bottoms) + 4;
}

function small(pdf: PDFKit.PDFDocument, text: string): void {
  pdf.fillColor(soft).fontSize(9).text(written(text)).fillColor(ink);
}

function addressLines({
  line1,
  line2,
  postcode,
  city,
  region,
  country,
  tax_id,
}: BillingAddress): string[] {
  const place = [postcode, city].filter(Boolean).join(' ');
  const nation = country
    ? (new Intl.DisplayNames(['en'], { type: 'region' }).of(country) ?? country)
    : '';
  return [
    line1 ?? '',
    line2 ?? '',
    place,
    region ?? '',
    nation,
    tax_id ? `Tax number ${tax_id}` : '',
  ];
}

/** In one Unicode form, so that a letter and its accent are one sign of the font. */
function written(text: string): string {
  return text.normalize('NFC');
}

function dayOf(date: Date): string {
  return date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

function collect(pdf: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
