package xds

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
)

// packed puts an extension's configuration into its slot. Equal messages give equal bytes within one build; the files are
// written from the message, not from these bytes.
func packed(message proto.Message) *anypb.Any {
	any := &anypb.Any{}
	if err := anypb.MarshalFrom(any, message, proto.MarshalOptions{Deterministic: true}); err != nil {
		// Only a string that is no UTF-8 cannot be marshalled, and extensions hold names that Kubernetes has checked.
		panic("packing " + string(message.ProtoReflect().Descriptor().FullName()) + ": " + err.Error())
	}
	return any
}
