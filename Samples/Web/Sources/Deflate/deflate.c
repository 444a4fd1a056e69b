// The functions are in the header.
