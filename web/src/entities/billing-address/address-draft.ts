import { billingAddress } from '@rowmill/contract';
import { tabNote } from '../../lib/tab-note.ts';

/** The address that is being typed. */
export const addressDraft = tabNote('addressDraft', billingAddress);
