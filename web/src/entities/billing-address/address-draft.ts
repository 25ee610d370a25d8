import { billingAddress } from '@rowmill/contract';
import { tabNote } from '../../lib/tab-note.ts';

export const addressDraft = tabNote('addressDraft', billingAddress);
