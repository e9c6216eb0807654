import { mfeConfig } from '@colonnade/mfe/build';
export default mfeConfig({ dir: import.meta.dirname });
