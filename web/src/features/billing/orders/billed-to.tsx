import type { BillingAddress } from '@rowmill/contract';
import * as texts from '../../../texts/billing.ts';
import { language } from '../../../texts/language.ts';
import styles from '../billing.module.css';

const order = [
  'name',
  'company',
  'line1',
  'line2',
  'city',
  'region',
  'postcode',
  'country',
  'tax_id',
] as const;

export function BilledTo({ address }: { address: BillingAddress }) {
  const lines = order.filter((field) => address[field]);
  if (lines.length === 0) return null;
  return (
    <div className="stack">
      <h3>{texts.billedTo}</h3>
      <address className={styles.address}>
        {lines.map((field) => (
          <span key={field}>{written(field, address[field] ?? '')}</span>
        ))}
      </address>
    </div>
  );
}

function written(field: keyof BillingAddress, text: string): string {
  if (field === 'tax_id') return texts.taxNumber(text);
  return field === 'country'
    ? (new Intl.DisplayNames(language, { type: 'region' }).of(text) ?? text)
    : text;
}
