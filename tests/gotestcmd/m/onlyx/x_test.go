package onlyx_test

import "testing"

func TestOnly(t *testing.T) {}
