import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type BillingAddress, normalised } from '@rowmill/contract';
import type { InvoiceDocument, InvoiceSeries } from '../../../db/billing-tables.ts';
import { formatWithCode } from '../../../lib/money.ts';
import { StartRefused } from '../../../lib/start-refused.ts';
import { creditNoteTitle, invoiceTitle, pageOf, unusableFont } from '../../../texts/billing.ts';
import { formatDay } from '../../../texts/dates.ts';

interface Invoice {
  series: InvoiceSeries;
  number: string;
  orderId: string;
  issued_at: Date;
  document: InvoiceDocument;
}

const titles: Record<InvoiceSeries, string> = { INV: invoiceTitle, CN: creditNoteTitle };
const margin = 56;
const width = 595 - 2 * margin;
/** Start and width of each column, in points. */
const columns = {
  name: [0, 250],
  quantity: [250, 50],
  each: [300, 90],
  total: [390, width - 390],
} as const;
/**
 * The standard PDF fonts have only Western European letters. This one has all Latin letters, Greek,
 * Cyrillic, Armenian and Georgian. Others, such as Chinese, need a font of the operator's or show
 * as empty boxes: a transliterated name would be wrong. Only the glyphs in use are embedded.
 */
const builtInFont = join(import.meta.dirname, 'fonts/DejaVuSansCondensed.ttf');
/** Bold without a second font: the glyphs are outlined in their own colour. */
const bold = { fill: true, stroke: true };
const ink = '#17211d';
const muted = '#5c6763';

/** Some fonts, such as variable ones with CFF2 outlines, fail only once a letter is written. */
export async function assertInvoiceFont(font: string | null): Promise<void> {
  if (font === null) return;
  const { default: Document } = await import('pdfkit');
  try {
    const pdf = new Document({ font });
    const done = buffer(pdf);
    pdf.text(invoiceTitle).end();
    await done;
  } catch (error) {
    throw new StartRefused(unusableFont(font), { cause: error });
  }
}

/** Renders A4 pages from a frozen document. The same document gives the same bytes. */
export async function renderInvoicePdf(
  invoice: Invoice,
  font: string = builtInFont,
): Promise<Buffer> {
  // 1.6 MB of scripts, which a start need not read.
  const { default: Document } = await import('pdfkit');
  const { company, customer, lines, currency, tax, note } = invoice.document;
  const title = `${titles[invoice.series]} ${invoice.number}`;
  const pdf = new Document({
    size: 'A4',
    margin,
    font,
    info: { Title: title, Author: company.name, CreationDate: invoice.issued_at },
  });
  const done = buffer(pdf);
  let page = 1;
  pdf.on('pageAdded', () => {
    page++;
    writeSmall(pdf, pageOf(title, page));
    pdf.moveDown();
  });
  pdf.fillColor(ink).strokeColor(ink).lineWidth(0.4).fontSize(20).text(title, bold);
  writeSmall(pdf, `Issued on ${formatDay(invoice.issued_at)} · Order ${invoice.orderId}`);
  pdf.moveDown(1.5);
  writeParties(pdf, [
    [
      'From',
      [
        company.name,
        ...company.address.split(', '),
        taxNumberLine(company.tax_number),
        company.email,
        company.phone,
      ],
    ],
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
  writeRow(pdf, { name: 'Description', quantity: 'Quantity', each: 'Each', total: 'Total' }, muted);
  for (const line of lines) {
    const each = formatWithCode(line.rate_minor, currency);
    writeRow(pdf, {
      name: line.name,
      quantity: String(line.quantity),
      each,
      total: formatWithCode(line.total_minor, currency),
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
  writeSums(pdf, invoice.document);
  pdf.moveDown(1.5);
  writeSmall(pdf, tax.percent > 0 ? `${note}. All prices include ${tax.name}.` : `${note}.`);
  pdf.end();
  return done;
}

function writeSums(
  pdf: PDFKit.PDFDocument,
  { total_minor: total, tax, currency }: InvoiceDocument,
): void {
  const rowOf = (each: string, minor: number) => ({
    name: '',
    quantity: '',
    each,
    total: formatWithCode(minor, currency),
  });
  writeRow(pdf, rowOf('Net', total - tax.minor));
  writeRow(pdf, rowOf(`${tax.name} ${tax.percent}%`, tax.minor));
  writeRow(pdf, rowOf('Total', total), ink, bold);
}

function writeParties(
  pdf: PDFKit.PDFDocument,
  parties: readonly (readonly [string, readonly string[]])[],
): void {
  const top = pdf.y;
  const bottoms = parties.map(([title, lines], index) => {
    const x = margin + (index * width) / 2;
    pdf.fillColor(muted).fontSize(9).text(title, x, top);
    pdf.fillColor(ink).fontSize(10);
    for (const line of lines.filter(Boolean))
      pdf.text(normalised(line), x, pdf.y, { width: width / 2 - 12 });
    return pdf.y;
  });
  pdf.x = margin;
  pdf.y = Math.max(...bottoms);
}

function writeRow(
  pdf: PDFKit.PDFDocument,
  cells: Record<keyof typeof columns, string>,
  colour = ink,
  weight = {},
): void {
  pdf.fillColor(colour).fontSize(10);
  const texts = Object.entries(columns).map(([name, [x, cellWidth]]) => {
    const text = normalised(cells[name as keyof typeof columns]);
    const height = pdf.heightOfString(text, { width: cellWidth });
    return { text, height, x, cellWidth, align: name === 'name' ? 'left' : 'right' } as const;
  });
  // A cell of several lines would go on on the next page, and the others start there.
  if (pdf.y + Math.max(...texts.map(({ height }) => height)) > pdf.page.maxY()) {
    pdf.addPage();
    pdf.fillColor(colour).fontSize(10);
  }
  const top = pdf.y;
  const bottoms = texts.map(({ text, x, cellWidth, align }) => {
    pdf.text(text, margin + x, top, { width: cellWidth, align, ...weight });
    return pdf.y;
  });
  pdf.x = margin;
  pdf.y = Math.max(...bottoms) + 4;
}

function writeSmall(pdf: PDFKit.PDFDocument, text: string): void {
  pdf.fillColor(muted).fontSize(9).text(normalised(text)).fillColor(ink);
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
  return [line1 ?? '', line2 ?? '', place, region ?? '', nation, taxNumberLine(tax_id)];
}

function taxNumberLine(number: string | undefined): string {
  return number ? `Tax number ${number}` : '';
}
