import { getInvoice } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { callForFile } from '../../../lib/api/api-client.ts';
import { saveFile } from '../../../lib/save-file.ts';
import * as texts from '../../../texts/billing.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';

interface Props {
  orderId: string;
  number: string;
  /** Downloads this credit note instead of the invoice. */
  creditNote?: string;
}

export function InvoiceButton({ orderId, number, creditNote }: Props) {
  const name = creditNote ? texts.creditNote(creditNote) : texts.invoice(number);
  const download = useMutation({
    mutationFn: async () => {
      const file = await callForFile(getInvoice, { orderId, credit_note: creditNote });
      saveFile(`${name}.pdf`, file);
    },
  });
  return (
    <>
      <Button
        variant="secondary"
        busy={download.isPending}
        aria-label={
          creditNote ? texts.downloadCreditNote(creditNote) : texts.downloadInvoice(number)
        }
        onClick={() => download.mutate()}
      >
        <Download aria-hidden size={18} />
        {texts.pdf}
      </Button>
      <ErrorNote error={download.error} />
    </>
  );
}
