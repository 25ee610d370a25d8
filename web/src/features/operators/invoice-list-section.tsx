import { downloadInvoiceList } from '@rowmill/contract';
import { Download } from 'lucide-react';
import { callForFile } from '../../lib/api/api-client.ts';
import { useForm } from '../../lib/hooks/use-form.ts';
import { saveFile } from '../../lib/save-file.ts';
import * as texts from '../../texts/operators.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/form/text-field.tsx';

/** Downloads the invoices and credit notes of a period, for the tax return. */
export function InvoiceListSection() {
  const form = useForm(async ({ from = '', to = '' }) => {
    const file = await callForFile(downloadInvoiceList, { from, to });
    saveFile(texts.invoiceListFile(from, to), file);
    return null;
  });
  const [first, last] = lastMonth(new Date());
  return (
    <section className="card stack" aria-labelledby="invoice-list-title">
      <h2 id="invoice-list-title">{texts.invoiceList}</h2>
      <p className="muted">{texts.invoiceListNote}</p>
      <Form form={form}>
        <div className="row">
          <TextField label={texts.firstDay} name="from" type="date" defaultValue={first} />
          <TextField label={texts.lastDay} name="to" type="date" defaultValue={last} />
        </div>
        <div>
          <Button type="submit" variant="secondary" busy={form.busy}>
            <Download aria-hidden size={18} />
            {texts.downloadCsv}
          </Button>
        </div>
      </Form>
    </section>
  );
}

/** Its first and last day in UTC. */
function lastMonth(now: Date): [string, string] {
  const day = (monthsAway: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsAway, date))
      .toISOString()
      .slice(0, 10);
  return [day(-1, 1), day(0, 0)];
}
