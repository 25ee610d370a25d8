import { type User, verifyAndUpdateUserDetails } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { call } from '../../../lib/api/api-client.ts';
import { errorMessage } from '../../../lib/api/refusal.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/identity.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { FieldNote } from '../../../ui/form/field.tsx';
import { storeAccount } from '../store-account.ts';
import styles from './profile.module.css';
import { accepted, readPicture } from './read-picture.ts';

const PhotoCropper = lazy(async () => ({
  default: (await import('./photo-cropper.tsx')).PhotoCropper,
}));

/** Cropped in the browser: only the small square is uploaded. */
export function PhotoSection({ user }: { user: User }) {
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLSpanElement>(null);
  const save = useSavePhoto(close);
  function close() {
    // Elements behind an open dialog cannot take focus.
    flushSync(() => setPicture(null));
    picture?.close();
    chooser.current?.querySelector('button')?.focus();
  }
  async function choose(file: File | undefined) {
    if (!file) return;
    save.reset();
    setProblem(null);
    try {
      setPicture(await readPicture(file));
    } catch (error) {
      setProblem(errorMessage(error));
    }
  }
  return (
    <section className="card">
      <h2>{texts.photo}</h2>
      <div className="row">
        <Avatar person={user} label={texts.yourPhoto} />
        <div className={styles.chooser}>
          <div className="row">
            <span ref={chooser}>
              <Button
                variant="secondary"
                aria-describedby="photo-note"
                onClick={() => input.current?.click()}
              >
                {user.profile_photo ? texts.chooseAnother : texts.choosePicture}
              </Button>
            </span>
            {user.profile_photo && (
              <Button variant="ghost" busy={save.isPending} onClick={() => save.mutate('')}>
                {texts.remove}
              </Button>
            )}
          </div>
          <FieldNote
            id="photo-note"
            problem={problem ?? undefined}
            hint={texts.pictureKinds}
            role={problem ? 'alert' : undefined}
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
          void choose(event.target.files?.[0]);
          // Allow choosing the same file again.
          event.target.value = '';
        }}
      />
      {picture && (
        <Suspense fallback={<p role="status">{texts.oneMoment}</p>}>
          <PhotoCropper
            picture={picture}
            busy={save.isPending}
            error={save.isError ? errorMessage(save.error) : null}
            onSave={save.mutate}
            onClose={close}
          />
        </Suspense>
      )}
    </section>
  );
}

/** An empty photo removes it. Save errors show in the cropper, removal errors as a toast. */
function useSavePhoto(onSaved: () => void) {
  return useMutation({
    mutationFn: (profile_photo: string) => call(verifyAndUpdateUserDetails, { profile_photo }),
    onSuccess: (answer, photo) => {
      storeAccount(answer);
      showToast('success', photo ? texts.photoSaved : texts.photoRemoved);
      onSaved();
    },
    onError: (error, photo) => photo === '' && showToast('error', errorMessage(error)),
  });
}
