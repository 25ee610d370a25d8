import { type User, verifyAndUpdateUserDetails } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../../lib/api/api-client.ts';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/identity.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { FieldNote } from '../../../ui/form/field.tsx';
import { storeAccount } from '../store-account.ts';
import { encodePhoto } from './encode-photo.ts';
import styles from './profile.module.css';
import { accepted, readPicture } from './read-picture.ts';

/** Cut to its middle square in the browser: only the small square is uploaded. */
export function PhotoSection({ user }: { user: User }) {
  const input = useRef<HTMLInputElement>(null);
  const save = useSavePhoto();
  return (
    <section className="card">
      <h2>{texts.photo}</h2>
      <div className="row">
        <Avatar person={user} label={texts.yourPhoto} />
        <div className={styles.chooser}>
          <div className="row">
            <Button
              variant="secondary"
              busy={save.isPending}
              aria-describedby="photo-note"
              onClick={() => input.current?.click()}
            >
              {user.profile_photo ? texts.chooseAnother : texts.choosePicture}
            </Button>
            {user.profile_photo && (
              <Button variant="ghost" busy={save.isPending} onClick={() => save.mutate(null)}>
                {texts.remove}
              </Button>
            )}
          </div>
          <FieldNote
            id="photo-note"
            problem={save.isError ? errorMessage(save.error) : undefined}
            hint={texts.pictureKinds}
            role={save.isError ? 'alert' : undefined}
          />
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept={accepted}
        hidden
        aria-label={texts.picture}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) save.mutate(file);
          // Allow choosing the same file again.
          event.target.value = '';
        }}
      />
    </section>
  );
}

/** Without a file the photo is removed. */
function useSavePhoto() {
  return useMutation({
    mutationFn: async (file: File | null) =>
      call(verifyAndUpdateUserDetails, { profile_photo: file ? await photoOf(file) : '' }),
    onSuccess: (answer) => {
      storeAccount(answer);
      showToast('success', answer.message);
    },
  });
}

async function photoOf(file: File): Promise<string> {
  const picture = await readPicture(file);
  try {
    return await encodePhoto(picture);
  } finally {
    picture.close();
  }
}
